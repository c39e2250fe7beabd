! SPDX-License-Identifier: BSD-3-Clause
!
! The calls of 2DECOMP&FFT that most programs make, over the module pfft3d: pencils, transposes and
! three-dimensional transforms in double precision, with the same distribution of indices.  A program
! is compiled with this file in place of that library; as its modules have the same names, this one is
! installed as a source only.
!
! Left out: types DECOMP_INFO, files, halos, PHYSICAL_IN_Z for real fields.  Errors end the program.
module decomp_2d
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi
  use pfft3d
  implicit none
  private
  integer, parameter, public :: mytype = real64
  integer, parameter, public :: real_type = MPI_DOUBLE_PRECISION, complex_type = MPI_DOUBLE_COMPLEX
  integer, public, protected :: nrank = 0, nproc = 1, nx_global = 0, ny_global = 0, nz_global = 0
  integer, public, protected, dimension(3) :: xstart, xend, xsize, ystart, yend, ysize, zstart, zend, zsize
  integer, public, protected :: decomp_2d_comm = MPI_COMM_NULL
  public :: decomp_2d_init, decomp_2d_finalize, pencil
  public :: transpose_x_to_y, transpose_y_to_z, transpose_z_to_y, transpose_y_to_x

  interface transpose_x_to_y
    module procedure x_to_y_real, x_to_y_complex
  end interface
  interface transpose_y_to_z
    module procedure y_to_z_real, y_to_z_complex
  end interface
  interface transpose_z_to_y
    module procedure z_to_y_real, z_to_y_complex
  end interface
  interface transpose_y_to_x
    module procedure y_to_x_real, y_to_x_complex
  end interface

  integer :: grid(2) = 1
  ! Between X and Y, and between Y and Z; of real and of complex numbers.  Made at their first use.
  type(pfft3d_redist) :: moves(2, 2)
  logical :: made(2, 2) = .false.

contains

  ! Collective: pencils of an nx x ny x nz field on p_row x p_col ranks; 0 x 0: as square as possible.
  subroutine decomp_2d_init(nx, ny, nz, p_row, p_col, comm)
    integer, intent(in) :: nx, ny, nz, p_row, p_col
    integer, intent(in), optional :: comm
    integer :: ierr
    decomp_2d_comm = MPI_COMM_WORLD
    if (present(comm)) decomp_2d_comm = comm
    call MPI_Comm_rank(decomp_2d_comm, nrank, ierr)
    call MPI_Comm_size(decomp_2d_comm, nproc, ierr)
    grid = [p_row, p_col]
    if (all(grid == 0)) then
      call MPI_Dims_create(nproc, 2, grid, ierr)
      grid = grid(2:1:-1) ! the smaller number first
    end if
    if (product(grid) /= nproc) error stop 'decomp_2d_init: p_row x p_col is not the number of ranks'
    nx_global = nx
    ny_global = ny
    nz_global = nz
    call pencil(1, [nx, ny, nz], xstart, xend, xsize)
    call pencil(2, [nx, ny, nz], ystart, yend, ysize)
    call pencil(3, [nx, ny, nz], zstart, zend, zsize)
  end subroutine

  subroutine decomp_2d_finalize()
    integer :: i, j
    do j = 1, 2
      do i = 1, 2
        call moves(i, j)%destroy()
      end do
    end do
    made = .false.
  end subroutine

  ! This rank's pencil along an axis: of the others the first is cut by p_row, the second by p_col.
  subroutine pencil(axis, n, first, last, size)
    integer, intent(in) :: axis, n(3)
    integer, intent(out) :: first(3), last(3), size(3)
    integer :: place(2), other, a
    place = [nrank / grid(2), mod(nrank, grid(2))]
    first = 1
    last = n
    other = 0
    do a = 1, 3
      if (a == axis) cycle
      other = other + 1
      first(a) = before(n(a), grid(other), place(other)) + 1
      last(a) = before(n(a), grid(other), place(other) + 1)
    end do
    size = last - first + 1
  end subroutine

  ! Indices of the first k of p parts, of which the last ones have one index more than the others.
  pure integer function before(n, p, k)
    integer, intent(in) :: n, p, k
    before = k * (n / p) + max(0, k - (p - mod(n, p)))
  end function

  subroutine prepare(pair, number, bytes)
    integer, intent(in) :: pair, number, bytes
    integer :: n(3)
    if (made(pair, number)) return
    n = [nx_global, ny_global, nz_global]
    if (pair == 1) then
      call moves(pair, number)%create(decomp_2d_comm, n, xstart, xend, ystart, yend, bytes)
    else
      call moves(pair, number)%create(decomp_2d_comm, n, ystart, yend, zstart, zend, bytes)
    end if
    made(pair, number) = .true.
  end subroutine

  subroutine move_real(pair, direction, from, to)
    integer, intent(in) :: pair, direction
    real(mytype), intent(in), contiguous :: from(:, :, :)
    real(mytype), intent(inout), contiguous :: to(:, :, :)
    call prepare(pair, 1, 8)
    call moves(pair, 1)%execute(direction, from, to)
  end subroutine

  subroutine move_complex(pair, direction, from, to)
    integer, intent(in) :: pair, direction
    complex(mytype), intent(in), contiguous :: from(:, :, :)
    complex(mytype), intent(inout), contiguous :: to(:, :, :)
    call prepare(pair, 2, 16)
    call moves(pair, 2)%execute(direction, from, to)
  end subroutine

  subroutine x_to_y_real(src, dst)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_real(1, pfft3d_forward, src, dst)
  end subroutine

  subroutine y_to_z_real(src, dst)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_real(2, pfft3d_forward, src, dst)
  end subroutine

  subroutine z_to_y_real(src, dst)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_real(2, pfft3d_backward, src, dst)
  end subroutine

  subroutine y_to_x_real(src, dst)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_real(1, pfft3d_backward, src, dst)
  end subroutine

  subroutine x_to_y_complex(src, dst)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_complex(1, pfft3d_forward, src, dst)
  end subroutine

  subroutine y_to_z_complex(src, dst)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_complex(2, pfft3d_forward, src, dst)
  end subroutine

  subroutine z_to_y_complex(src, dst)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_complex(2, pfft3d_backward, src, dst)
  end subroutine

  subroutine y_to_x_complex(src, dst)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    call move_complex(1, pfft3d_backward, src, dst)
  end subroutine
end module

! Transforms: fields in X pencils, spectra in Z pencils, or the other way round with PHYSICAL_IN_Z; not
! normalised.
module decomp_2d_fft
  use decomp_2d
  use pfft3d
  implicit none
  private
  integer, parameter, public :: DECOMP_2D_FFT_FORWARD = -1, DECOMP_2D_FFT_BACKWARD = 1
  integer, parameter, public :: PHYSICAL_IN_X = 1, PHYSICAL_IN_Z = 3
  public :: decomp_2d_fft_init, decomp_2d_fft_finalize, decomp_2d_fft_get_size, decomp_2d_fft_3d

  interface decomp_2d_fft_3d
    module procedure fft_c2c, fft_r2c, fft_c2r
  end interface

  type(pfft3d_plan) :: plans(2) ! of complex and of real fields, made at their first use
  logical :: made(2) = .false.
  integer :: axis = PHYSICAL_IN_X

contains

  subroutine decomp_2d_fft_init(pencil)
    integer, intent(in), optional :: pencil
    axis = PHYSICAL_IN_X
    if (present(pencil)) axis = pencil
  end subroutine

  subroutine decomp_2d_fft_finalize()
    call plans(1)%destroy()
    call plans(2)%destroy()
    made = .false.
  end subroutine

  ! The Z pencil of the spectrum of a real field.
  subroutine decomp_2d_fft_get_size(istart, iend, isize)
    integer, intent(out) :: istart(3), iend(3), isize(3)
    call pencil(PHYSICAL_IN_Z, [nx_global / 2 + 1, ny_global, nz_global], istart, iend, isize)
  end subroutine

  subroutine prepare(real_field)
    logical, intent(in) :: real_field
    type(pfft3d_request) :: request
    integer :: n(3), lo(3), hi(3), len(3), which
    which = merge(2, 1, real_field)
    if (made(which)) return
    if (real_field .and. axis /= PHYSICAL_IN_X) error stop 'decomp_2d_fft: real fields with PHYSICAL_IN_X only'
    n = [nx_global, ny_global, nz_global]
    call request%set('size', n)
    call request%set('type', merge('r2c', 'c2c', real_field))
    call pencil(axis, n, lo, hi, len)
    call request%box(pfft3d_space, lo, hi)
    if (real_field) n(1) = n(1) / 2 + 1
    call pencil(4 - axis, n, lo, hi, len)
    call request%box(pfft3d_spectrum, lo, hi)
    call plans(which)%create(decomp_2d_comm, request)
    made(which) = .true.
  end subroutine

  subroutine fft_c2c(in, out, isign)
    complex(mytype), intent(in), contiguous :: in(:, :, :)
    complex(mytype), intent(inout), contiguous :: out(:, :, :)
    integer, intent(in) :: isign
    call prepare(.false.)
    call plans(1)%execute(merge(pfft3d_forward, pfft3d_backward, isign == DECOMP_2D_FFT_FORWARD), in, out)
  end subroutine

  subroutine fft_r2c(in_r, out_c)
    real(mytype), intent(in), contiguous :: in_r(:, :, :)
    complex(mytype), intent(inout), contiguous :: out_c(:, :, :)
    call prepare(.true.)
    call plans(2)%execute(pfft3d_forward, in_r, out_c)
  end subroutine

  subroutine fft_c2r(in_c, out_r)
    complex(mytype), intent(in), contiguous :: in_c(:, :, :)
    real(mytype), intent(inout), contiguous :: out_r(:, :, :)
    call prepare(.true.)
    call plans(2)%execute(pfft3d_backward, in_c, out_r)
  end subroutine
end module
