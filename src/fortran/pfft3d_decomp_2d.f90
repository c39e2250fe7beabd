! SPDX-License-Identifier: BSD-3-Clause
!
! The calls of 2DECOMP&FFT that most programs make, over the module pfft3d: pencils, transposes and
! three-dimensional transforms in double precision, with the same distribution of indices.  A program
! is compiled with this file instead of that library; as its modules have the same names, this one is
! installed as a source only.
!
! Left out: files, PHYSICAL_IN_Z for real fields, halos of other widths along different axes.  Errors end
! the program.
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
  public :: decomp_info_init, decomp_info_finalize, get_decomp_info, alloc_x, alloc_y, alloc_z
  public :: transpose_x_to_y, transpose_y_to_z, transpose_z_to_y, transpose_y_to_x, update_halo

  ! Ghost cells of one width around the pencils along an axis, of real or of complex numbers.
  type :: halo_plan
    integer :: axis = 0, number = 0, level = 0
    type(pfft3d_redist) :: redist
    type(halo_plan), pointer :: next => null()
  end type

  ! What is made for a DECOMP_INFO at its first use; moves are between X and Y, and between Y and Z, of
  ! real and of complex numbers.
  type :: decomp_plans
    type(pfft3d_redist) :: moves(2, 2)
    logical :: made(2, 2) = .false.
    type(halo_plan), pointer :: halos => null()
  end type

  ! Pencils of a field of any size on the grid of ranks.  Copies share what was made.
  type, public :: DECOMP_INFO
    integer, dimension(3) :: xst = 1, xen = 0, xsz = 0, yst = 1, yen = 0, ysz = 0, zst = 1, zen = 0, zsz = 0
    type(decomp_plans), pointer, private :: plans => null()
  end type
  type(DECOMP_INFO), public, protected :: decomp_main ! of decomp_2d_init

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
  interface update_halo ! (in, out, level, opt_decomp, opt_global, opt_pencil)
    module procedure update_halo_real, update_halo_complex
  end interface
  interface alloc_x ! (var, opt_decomp, opt_global)
    module procedure alloc_x_real, alloc_x_complex
  end interface
  interface alloc_y
    module procedure alloc_y_real, alloc_y_complex
  end interface
  interface alloc_z
    module procedure alloc_z_real, alloc_z_complex
  end interface

  integer :: grid(2) = 1
  logical :: periodic(3) = .false.

contains

  ! Collective: pencils of an nx x ny x nz field on p_row x p_col ranks; 0 x 0: as square as possible.
  ! Halos go round along axes that are periodic.
  subroutine decomp_2d_init(nx, ny, nz, p_row, p_col, periodic_bc, comm)
    integer, intent(in) :: nx, ny, nz, p_row, p_col
    logical, intent(in), optional :: periodic_bc(3)
    integer, intent(in), optional :: comm
    integer :: ierr
    call decomp_2d_finalize()
    decomp_2d_comm = MPI_COMM_WORLD
    if (present(comm)) decomp_2d_comm = comm
    periodic = .false.
    if (present(periodic_bc)) periodic = periodic_bc
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
    call decomp_info_init(nx, ny, nz, decomp_main)
    xstart = decomp_main%xst
    xend = decomp_main%xen
    xsize = decomp_main%xsz
    ystart = decomp_main%yst
    yend = decomp_main%yen
    ysize = decomp_main%ysz
    zstart = decomp_main%zst
    zend = decomp_main%zen
    zsize = decomp_main%zsz
  end subroutine

  ! Collective.
  subroutine decomp_2d_finalize()
    call decomp_info_finalize(decomp_main)
  end subroutine

  ! Local: pencils of another field on the same ranks.
  subroutine decomp_info_init(nx, ny, nz, decomp)
    integer, intent(in) :: nx, ny, nz
    type(DECOMP_INFO), intent(inout) :: decomp
    call pencil(1, [nx, ny, nz], decomp%xst, decomp%xen, decomp%xsz)
    call pencil(2, [nx, ny, nz], decomp%yst, decomp%yen, decomp%ysz)
    call pencil(3, [nx, ny, nz], decomp%zst, decomp%zen, decomp%zsz)
    allocate (decomp%plans)
  end subroutine

  ! Collective: ends what was made for it, of which no copy may be used afterwards.
  subroutine decomp_info_finalize(decomp)
    type(DECOMP_INFO), intent(inout) :: decomp
    type(halo_plan), pointer :: halo
    integer :: i, j
    if (.not. associated(decomp%plans)) return
    do j = 1, 2
      do i = 1, 2
        call decomp%plans%moves(i, j)%destroy()
      end do
    end do
    do while (associated(decomp%plans%halos))
      halo => decomp%plans%halos
      decomp%plans%halos => halo%next
      call halo%redist%destroy()
      deallocate (halo)
    end do
    deallocate (decomp%plans)
  end subroutine

  subroutine get_decomp_info(decomp)
    type(DECOMP_INFO), intent(out) :: decomp
    decomp = decomp_main
    nullify (decomp%plans) ! what is made for the copy is its own
    if (associated(decomp_main%plans)) allocate (decomp%plans)
  end subroutine

  function chosen(opt_decomp) result(decomp)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    type(DECOMP_INFO) :: decomp
    decomp = decomp_main
    if (present(opt_decomp)) decomp = opt_decomp
    if (.not. associated(decomp%plans)) error stop 'decomp_2d: before decomp_2d_init or decomp_info_init'
  end function

  ! The pencil of a rank along an axis.
  pure subroutine bounds_of(decomp, axis, first, last)
    type(DECOMP_INFO), intent(in) :: decomp
    integer, intent(in) :: axis
    integer, intent(out) :: first(3), last(3)
    select case (axis)
    case (1)
      first = decomp%xst
      last = decomp%xen
    case (2)
      first = decomp%yst
      last = decomp%yen
    case default
      first = decomp%zst
      last = decomp%zen
    end select
  end subroutine

  ! This rank's pencil along an axis: of the others the first is cut by p_row, the second by p_col.
  subroutine pencil(axis, n, first, last, size)
    integer, intent(in) :: axis, n(3)
    integer, intent(out) :: first(3), last(3), size(3)
    integer :: coordinate(2), other, a
    coordinate = [nrank / grid(2), mod(nrank, grid(2))]
    first = 1
    last = n
    other = 0
    do a = 1, 3
      if (a == axis) cycle
      other = other + 1
      first(a) = before(n(a), grid(other), coordinate(other)) + 1
      last(a) = before(n(a), grid(other), coordinate(other) + 1)
    end do
    size = last - first + 1
  end subroutine

  ! Indices of the first k of p parts, of which the last ones have one index more than the others.
  pure integer function before(n, p, k)
    integer, intent(in) :: n, p, k
    before = k * (n / p) + max(0, k - (p - mod(n, p)))
  end function

  ! The extents of the whole field.
  pure function extents(decomp)
    type(DECOMP_INFO), intent(in) :: decomp
    integer :: extents(3)
    extents = [decomp%xsz(1), decomp%ysz(2), decomp%zsz(3)]
  end function

  ! ---- Transposes ----------------------------------------------------------------------------------

  ! The plan from the pencils of axis `pair` to those of the next one; elements of 8 bytes are number 1,
  ! those of 16 number 2.  Arrays are as large as the pencils of this rank, or the program ends.
  subroutine prepare(decomp, pair, number, direction, before, behind)
    type(DECOMP_INFO), intent(in) :: decomp
    integer, intent(in) :: pair, number, direction, before(3), behind(3)
    integer :: from(3, 2), to(3, 2)
    logical :: forward
    call bounds_of(decomp, pair, from(:, 1), from(:, 2))
    call bounds_of(decomp, pair + 1, to(:, 1), to(:, 2))
    forward = direction == pfft3d_forward
    if (any(merge(before, behind, forward) /= from(:, 2) - from(:, 1) + 1) .or. &
      any(merge(behind, before, forward) /= to(:, 2) - to(:, 1) + 1)) &
      error stop 'decomp_2d: the arrays of a transpose are not as large as the pencils'
    if (decomp%plans%made(pair, number)) return
    call decomp%plans%moves(pair, number)%create(decomp_2d_comm, extents(decomp), from(:, 1), from(:, 2), &
      to(:, 1), to(:, 2), 8 * number)
    decomp%plans%made(pair, number) = .true.
  end subroutine

  subroutine move_real(pair, direction, from, to, opt_decomp)
    integer, intent(in) :: pair, direction
    real(mytype), intent(in), contiguous :: from(:, :, :)
    real(mytype), intent(inout), contiguous :: to(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    type(DECOMP_INFO) :: decomp
    decomp = chosen(opt_decomp)
    call prepare(decomp, pair, 1, direction, shape(from), shape(to))
    call decomp%plans%moves(pair, 1)%execute(direction, from, to)
  end subroutine

  subroutine move_complex(pair, direction, from, to, opt_decomp)
    integer, intent(in) :: pair, direction
    complex(mytype), intent(in), contiguous :: from(:, :, :)
    complex(mytype), intent(inout), contiguous :: to(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    type(DECOMP_INFO) :: decomp
    decomp = chosen(opt_decomp)
    call prepare(decomp, pair, 2, direction, shape(from), shape(to))
    call decomp%plans%moves(pair, 2)%execute(direction, from, to)
  end subroutine

  subroutine x_to_y_real(src, dst, opt_decomp)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_real(1, pfft3d_forward, src, dst, opt_decomp)
  end subroutine

  subroutine y_to_z_real(src, dst, opt_decomp)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_real(2, pfft3d_forward, src, dst, opt_decomp)
  end subroutine

  subroutine z_to_y_real(src, dst, opt_decomp)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_real(2, pfft3d_backward, src, dst, opt_decomp)
  end subroutine

  subroutine y_to_x_real(src, dst, opt_decomp)
    real(mytype), intent(in), contiguous :: src(:, :, :)
    real(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_real(1, pfft3d_backward, src, dst, opt_decomp)
  end subroutine

  subroutine x_to_y_complex(src, dst, opt_decomp)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_complex(1, pfft3d_forward, src, dst, opt_decomp)
  end subroutine

  subroutine y_to_z_complex(src, dst, opt_decomp)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_complex(2, pfft3d_forward, src, dst, opt_decomp)
  end subroutine

  subroutine z_to_y_complex(src, dst, opt_decomp)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_complex(2, pfft3d_backward, src, dst, opt_decomp)
  end subroutine

  subroutine y_to_x_complex(src, dst, opt_decomp)
    complex(mytype), intent(in), contiguous :: src(:, :, :)
    complex(mytype), intent(inout), contiguous :: dst(:, :, :)
    type(DECOMP_INFO), intent(in), optional :: opt_decomp
    call move_complex(1, pfft3d_backward, src, dst, opt_decomp)
  end subroutine

  include 'pfft3d_decomp_2d_halo.inc'
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
