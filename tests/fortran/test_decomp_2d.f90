! SPDX-License-Identifier: BSD-3-Clause
! ranks: 1 2 3 4 6
! A program that calls 2DECOMP&FFT: transposes and halos by indices, also those of fields of other sizes,
! transforms by the definition.
program test_decomp_2d
  use mpi
  use decomp_2d
  use decomp_2d_fft
  implicit none
  integer, parameter :: n(3) = [7, 5, 6]
  real(mytype), parameter :: two_pi = 6.283185307179586_mytype
  real(mytype), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :)
  complex(mytype), allocatable :: u(:, :, :), v(:, :, :), w(:, :, :)
  integer :: ierr, bad = 0, all_bad, first(3), last(3), length(3), i, ranks, rows

  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  do i = 1, 3
    rows = merge(0, merge(1, ranks, i == 2), i == 1)
    call decomp_2d_init(n(1), n(2), n(3), rows, merge(0, ranks / max(rows, 1), i == 1))
    ! The last ranks have more.
    if (rows == 1 .and. ranks == 4 .and. nrank >= 2) call expect(xsize(3) == 2, 'sizes')
    if (rows == 1 .and. ranks == 4 .and. nrank < 2) call expect(xsize(3) == 1, 'sizes')

    ! Neighbours differ in their place along p_col.
    if (rows == 0 .and. ranks == 4 .and. nrank == 1) call expect(xstart(2) == 1 .and. xstart(3) == 4, 'places')

    allocate (x(xsize(1), xsize(2), xsize(3)), y(ysize(1), ysize(2), ysize(3)), z(zsize(1), zsize(2), zsize(3)))
    x = numbers(xstart, xend)
    call transpose_x_to_y(x, y)
    call expect(all(abs(y - numbers(ystart, yend)) <= 0), 'x to y')
    call transpose_y_to_z(y, z)
    call expect(all(abs(z - numbers(zstart, zend)) <= 0), 'y to z')
    y = 0
    call transpose_z_to_y(z, y)
    call expect(all(abs(y - numbers(ystart, yend)) <= 0), 'z to y')
    x = 0
    call transpose_y_to_x(y, x)
    call expect(all(abs(x - numbers(xstart, xend)) <= 0), 'y to x')

    call decomp_2d_fft_get_size(first, last, length)
    allocate (u(length(1), length(2), length(3)))
    call decomp_2d_fft_init()
    call decomp_2d_fft_3d(x, u)
    call expect(all(abs(u - spectrum(first, last)) < 1e-9_mytype), 'r2c')
    call decomp_2d_fft_3d(u, x)
    call expect(all(abs(x / product(n) - numbers(xstart, xend)) < 1e-11_mytype), 'c2r')
    deallocate (u)

    allocate (u(xsize(1), xsize(2), xsize(3)), v(zsize(1), zsize(2), zsize(3)), w(ysize(1), ysize(2), ysize(3)))
    u = numbers(xstart, xend)
    call decomp_2d_fft_3d(u, v, DECOMP_2D_FFT_FORWARD)
    call expect(all(abs(v - spectrum(zstart, zend)) < 1e-9_mytype), 'c2c')
    call decomp_2d_fft_3d(v, u, DECOMP_2D_FFT_BACKWARD)
    call expect(all(abs(u / product(n) - numbers(xstart, xend)) < 1e-11_mytype), 'c2c back')
    call transpose_x_to_y(u, w)
    call transpose_y_to_z(w, v)
    call expect(all(abs(v / product(n) - numbers(zstart, zend)) < 1e-11_mytype), 'complex x to z')
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_Z)
    v = numbers(zstart, zend)
    call decomp_2d_fft_3d(v, u, DECOMP_2D_FFT_FORWARD)
    call expect(all(abs(u - spectrum(xstart, xend)) < 1e-9_mytype), 'PHYSICAL_IN_Z')
    deallocate (u, v, w, x, y, z)
    call decomp_2d_fft_finalize()
    call other_sizes(.false.)
    call halos([.false., .false., .false.])
    call decomp_2d_finalize()

    call decomp_2d_init(n(1), n(2), n(3), rows, merge(0, ranks / max(rows, 1), i == 1), [.true., .false., .true.])
    call halos([.true., .false., .true.])
    call other_sizes(.true.) ! what decomp_2d_init made ends with the next one, and with the last one here
  end do
  call decomp_2d_finalize()
  call MPI_Allreduce(bad, all_bad, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (all_bad > 0) error stop 1

contains

  ! DECOMP_INFO: fields of other sizes, and of fewer planes than ranks; a copy serves as well.
  subroutine other_sizes(copied)
    logical, intent(in) :: copied
    type(DECOMP_INFO) :: half, one
    complex(mytype), allocatable :: a(:, :, :), b(:, :, :), c(:, :, :)
    real(mytype), allocatable :: d(:, :, :)
    call decomp_info_init(4, 3, 2, half)
    one = half
    if (copied) half%xst = 0 ! not asked
    call alloc_x(a, one, .true.)
    call alloc_y(b, one)
    call alloc_z(c, one, .false.)
    call expect(all(lbound(a) == one%xst .or. shape(a) == 0) .and. all(shape(a) == one%xsz), 'alloc_x')
    call expect(all(lbound(b) == 1 .or. shape(b) == 0) .and. all(shape(b) == one%ysz), 'alloc_y')
    a = numbers(one%xst, one%xen)
    call transpose_x_to_y(a, b, one)
    call expect(all(abs(b - numbers(one%yst, one%yen)) <= 0), 'x to y of another size')
    call transpose_y_to_z(b, c, one)
    call expect(all(abs(c - numbers(one%zst, one%zen)) <= 0), 'y to z of another size')
    b = 0
    a = 0
    call transpose_z_to_y(c, b, one)
    call transpose_y_to_x(b, a, one)
    call expect(all(abs(a - numbers(one%xst, one%xen)) <= 0), 'z to x of another size')
    call decomp_info_finalize(half)

    call get_decomp_info(one)
    call alloc_z(d)
    call expect(all(one%zst == zstart) .and. all(shape(d) == zsize), 'get_decomp_info')
    a = numbers(one%xst, one%xen)
    b = numbers(one%yst, one%yen)
    b = 0
    call transpose_x_to_y(a, b, one)
    call decomp_info_finalize(one) ! is a copy, without which the others work
    b = 0
    call transpose_x_to_y(a, b)
    call expect(all(abs(b - numbers(ystart, yend)) <= 0), 'after the end of a copy')
  end subroutine

  ! Halos of all pencils, wider than a part too, real and complex, in local and in global indices.
  subroutine halos(round)
    logical, intent(in) :: round(3)
    integer :: axis, level, first(3), last(3), length(3), wide(3)
    real(mytype), allocatable :: mine(:, :, :), with(:, :, :)
    complex(mytype), allocatable :: cmine(:, :, :), cwith(:, :, :)
    do axis = 1, 3
      call pencil(axis, n, first, last, length)
      mine = numbers(first, last)
      cmine = (0, 1) * mine
      do level = 0, 3
        wide = merge(0, level, [1, 2, 3] == axis)
        call update_halo(mine, with, level, opt_pencil=axis)
        call update_halo(cmine, cwith, level, opt_global=.true., opt_pencil=axis)
        if (any(length == 0)) cycle
        call expect(all(lbound(with) == 1 - wide) .and. all(ubound(with) == length + wide), 'bounds of a halo')
        call expect(all(lbound(cwith) == first - wide) .and. all(ubound(cwith) == last + wide), 'global bounds')
        call expect(all(abs(with - around(first - wide, last + wide, round)) <= 0), 'halo')
        call expect(all(abs(cwith - (0, 1) * around(first - wide, last + wide, round)) <= 0), 'complex halo')
      end do
    end do
    ! The axis is found by the shape: that of X first where others have the same.
    mine = numbers(xstart, xend)
    call update_halo(mine, with, 1)
    wide = [0, 1, 1]
    if (size(mine) > 0) call expect(all(abs(with - around(xstart - wide, xend + wide, round)) <= 0), 'halo of X')
  end subroutine

  ! Numbers beyond the ends: those of the other end, or 0.
  function around(lo, hi, round)
    integer, intent(in) :: lo(3), hi(3)
    logical, intent(in) :: round(3)
    real(mytype) :: around(hi(1) - lo(1) + 1, hi(2) - lo(2) + 1, hi(3) - lo(3) + 1)
    integer :: a, b, c, at(3)
    around = 0
    do c = lo(3), hi(3)
      do b = lo(2), hi(2)
        do a = lo(1), hi(1)
          at = modulo([a, b, c] - 1, n) + 1
          if (all(at == [a, b, c] .or. round)) &
            around(a - lo(1) + 1, b - lo(2) + 1, c - lo(3) + 1) = number(at(1), at(2), at(3))
        end do
      end do
    end do
  end function

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    bad = bad + 1
    print '(a, i0, 2a)', 'rank ', nrank, ': wrong: ', what
  end subroutine

  pure real(mytype) function number(a, b, c)
    integer, intent(in) :: a, b, c
    number = a + 10 * b + 100 * c * mod(a * b, 3)
  end function

  function numbers(lo, hi)
    integer, intent(in) :: lo(3), hi(3)
    real(mytype) :: numbers(hi(1) - lo(1) + 1, hi(2) - lo(2) + 1, hi(3) - lo(3) + 1)
    integer :: a, b, c
    do concurrent(a=lo(1):hi(1), b=lo(2):hi(2), c=lo(3):hi(3))
      numbers(a - lo(1) + 1, b - lo(2) + 1, c - lo(3) + 1) = number(a, b, c)
    end do
  end function

  function spectrum(lo, hi)
    integer, intent(in) :: lo(3), hi(3)
    complex(mytype) :: spectrum(hi(1) - lo(1) + 1, hi(2) - lo(2) + 1, hi(3) - lo(3) + 1)
    integer :: p, q, r, a, b, c
    real(mytype) :: turns
    spectrum = 0
    do r = lo(3), hi(3)
      do q = lo(2), hi(2)
        do p = lo(1), hi(1)
          do c = 1, n(3)
            do b = 1, n(2)
              do a = 1, n(1)
                turns = real(mod((p - 1) * (a - 1), n(1)), mytype) / n(1) + &
                  real(mod((q - 1) * (b - 1), n(2)), mytype) / n(2) + real(mod((r - 1) * (c - 1), n(3)), mytype) / n(3)
                spectrum(p - lo(1) + 1, q - lo(2) + 1, r - lo(3) + 1) = &
                  spectrum(p - lo(1) + 1, q - lo(2) + 1, r - lo(3) + 1) + &
                  number(a, b, c) * exp(cmplx(0, -two_pi * turns, mytype))
              end do
            end do
          end do
        end do
      end do
    end do
  end function
end program
