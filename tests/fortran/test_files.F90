! SPDX-License-Identifier: BSD-3-Clause
! Files of the module pfft3d_hdf5: what some ranks write, others read, in all types of numbers; what is
! asked of a dataset; errors.  Any number of ranks; prints "ok".
program test_files
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real32, real64
#ifdef PFFT3D_NO_MPI_F08
  use mpi
#else
  use mpi_f08
#endif
  use pfft3d
  use pfft3d_hdf5
  implicit none
  integer, parameter :: n(3) = [5, 4, 7]
  character(*), parameter :: file = 'test_files.h5', other = 'test_files_2.h5'
  type(pfft3d_dataset) :: d
  integer :: rank, ranks, first, last, stat, ierr, wrong = 0
  character(400) :: line
  character(:), allocatable :: text
  real(real64), allocatable :: x(:, :, :)
  real(real32), allocatable :: s(:, :, :)
  complex(real64), allocatable :: z(:, :, :)
  complex(real32), allocatable :: c(:, :, :)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  ! Cut along the last axis, and read along the first one: more ranks than planes have nothing.
  first = rank * n(3) / ranks + 1
  last = (rank + 1) * n(3) / ranks
  x = part([1, 1, first], [n(1), n(2), last])
  s = real(x, real32)
  z = cmplx(x, -x, real64)
  c = cmplx(z, kind=real32)

  call pfft3d_write(MPI_COMM_WORLD, file // ':/real', n, [1, 1, first], x, overwrite=.true.)
  call look(file, 'float64', .false.)
  call pfft3d_write(MPI_COMM_WORLD, file // ':/real', n, [1, 1, first], x, stat=stat, errmsg=line)
  call expect(stat == pfft3d_err_output .and. index(line, file) > 0, 'a file that exists: ' // trim(line))
  call pfft3d_write(MPI_COMM_WORLD, file // ':/s', n, [1, 1, first], s, overwrite=.true.)
  call look(file, 'float32', .false.)
  call pfft3d_write(MPI_COMM_WORLD, file // ':/z', n, [1, 1, first], z, overwrite=.true.)
  call look(file, 'complex128', .true.)
  call pfft3d_write(MPI_COMM_WORLD, other // ':/c', n, [1, 1, first], c, overwrite=.true., source=d)
  call look(other, 'complex64', .true.)
  call d%read([1, 1, 1], x, stat, line)
  call expect(stat == pfft3d_err_usage, 'complex numbers are not read as real ones')
  call d%attribute('nothing', text)
  call expect(text == '', 'an attribute that is missing')
  call pfft3d_write(MPI_COMM_WORLD, file // ':/plane', n(1:2), [1, 1, 1], &
    part([1, 1, 1], [n(1), merge(n(2), 0, rank == 0), 1]), overwrite=.true.)
  call d%open(MPI_COMM_WORLD, file)
  call expect_extents([n(1), n(2), 1], 2, 'a plane')
  call d%open(MPI_COMM_WORLD, 'none.h5', stat, line)
  call expect(stat == pfft3d_err_noinput .and. index(line, 'none.h5') > 0, 'no such file: ' // trim(line))
  call expect(d%dims() == 0, 'nothing is open')
  call d%close()
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0 .and. wrong == 0) print '(a)', 'ok'
  call MPI_Finalize(ierr)
  if (wrong > 0) error stop 1

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    wrong = wrong + 1
    write (error_unit, '(2a)') 'wrong: ', what
  end subroutine

  subroutine expect_extents(want, dims, what)
    integer, intent(in) :: want(3), dims
    character(*), intent(in) :: what
    integer :: found(3)
    found = d%extents()
    call expect(all(found == want), what // ': its extents')
    call expect(d%dims() == dims, what // ': its number of axes')
  end subroutine

  ! A number for each element from lo to hi.
  pure function part(lo, hi)
    integer, intent(in) :: lo(3), hi(3)
    real(real64), allocatable :: part(:, :, :)
    integer :: i, j, k
    allocate (part(max(hi(1) - lo(1) + 1, 0), max(hi(2) - lo(2) + 1, 0), max(hi(3) - lo(3) + 1, 0)))
    do k = 1, size(part, 3)
      do j = 1, size(part, 2)
        do i = 1, size(part, 1)
          part(i, j, k) = (i + lo(1) - 1) + 10 * (j + lo(2) - 1) + 100 * (k + lo(3) - 1)
        end do
      end do
    end do
  end function

  ! The file, along the first axis, in both precisions; real numbers as complex ones, too.
  subroutine look(name, type, is_complex)
    character(*), intent(in) :: name, type
    logical, intent(in) :: is_complex
    integer :: lo(3)
    real(real64), allocatable :: want(:, :, :), a(:, :, :)
    real(real32), allocatable :: b(:, :, :)
    complex(real64), allocatable :: p(:, :, :)
    complex(real32), allocatable :: q(:, :, :)
    lo = [rank * n(1) / ranks + 1, 1, 1]
    allocate (want, source=part(lo, [(rank + 1) * n(1) / ranks, n(2), n(3)]))
    allocate (a, mold=want)
    allocate (p, source=cmplx(want, kind=real64))
    allocate (q, source=cmplx(want, kind=real32))
    allocate (b, source=real(want, real32))
    call d%open(MPI_COMM_WORLD, name)
    call expect_extents(n, 3, type)
    call expect(d%is_complex() .eqv. is_complex, type // ': its numbers')
    call d%read(lo, p)
    call d%read(lo, q)
    call expect(all(abs(p - cmplx(want, merge(-want, 0 * want, is_complex), real64)) < 1e-12), type // ', double')
    call expect(all(abs(q - p) < 1e-4), type // ', single')
    call expect(d%nonfinite() == 0_int64, type // ': all are finite')
    if (is_complex) return
    call d%read(lo, a)
    call d%read(lo, b)
    call expect(all(abs(a - want) < 1e-12) .and. all(abs(b - want) < 1e-4), type // ' as real numbers')
  end subroutine
end program
