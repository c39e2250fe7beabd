! SPDX-License-Identifier: BSD-3-Clause
!
! Files for Fortran: HDF5 datasets over libpfft3d_hdf5, beside the module pfft3d.  It is installed as a
! source only, to be compiled with the program that uses it and linked with -lpfft3d_hdf5.
!
!     type(pfft3d_dataset) :: input
!     call input%open(MPI_COMM_WORLD, 'field.h5')
!     n = input%extents()
!     call plan%array(u, pfft3d_space)
!     call input%read(lbound(u), u)
!     call pfft3d_write(MPI_COMM_WORLD, 'result.h5:/data', n, lbound(u), u, source=input)
!
! Axes and indices are those of Fortran: the first axis of an array is the last one that h5dump and
! h5py show, and indices begin with 1.  Arrays are what a rank has, from index lo of the dataset on;
! ranks may have any parts, an array of size 0 too, and real data may be read as complex.  All
! procedures but those that only ask are collective.  Errors: as in pfft3d, stat= and errmsg=.
! include/pfft3d_hdf5.h says what files may be.
module pfft3d_hdf5
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real32, real64
  use pfft3d, only: pfft3d_ok, pfft3d_err_usage
#ifndef PFFT3D_NO_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  private
  integer, parameter :: whole = c_ptrdiff_t
#include "pfft3d_c.inc"

  type, bind(c) :: c_dataset_info
    type(c_ptr) :: file, path, type
    integer(c_int) :: numbers, dims
    integer(c_ptrdiff_t) :: n(3)
    real(c_double) :: nonfinite, scale_factor, add_offset, missing
    type(c_ptr) :: axis(3), selection
    integer(c_int) :: unwritten
    integer(c_ptrdiff_t) :: extent(8)
    type(c_ptr) :: dimension(8), units(8)
  end type
  type, bind(c) :: c_input_spec
    type(c_ptr) :: name, layout
    integer(c_ptrdiff_t) :: offset
    integer(c_int) :: dims, external
    type(c_ptr) :: filters
  end type
  type, bind(c) :: c_output_spec
    type(c_ptr) :: name, path
    integer(c_int) :: precision, numbers, dims
    integer(c_ptrdiff_t) :: n(3)
    integer(c_int) :: overwrite
    type(c_ptr) :: source, attributes, axes, store
    integer(c_int) :: into
    integer(c_ptrdiff_t) :: extent(8)
  end type

  interface
    integer(c_int) function c_dataset_open(comm, spec, size, dataset, error) &
        bind(c, name="pfft3d_dataset_open_f")
      import
      integer(c_int), intent(in) :: comm
      type(c_input_spec), intent(in) :: spec
      integer(c_size_t), value :: size
      type(c_ptr), intent(out) :: dataset
      type(c_error), intent(out) :: error
    end function
    integer(c_int) function c_dataset_get_info(dataset, info, size) &
        bind(c, name="pfft3d_dataset_get_info")
      import
      type(c_ptr), value :: dataset
      type(c_dataset_info), intent(inout) :: info
      integer(c_size_t), value :: size
    end function
    integer(c_int) function c_dataset_read(dataset, precision, numbers, box, array, error) &
        bind(c, name="pfft3d_dataset_read")
      import
      type(c_ptr), value :: dataset, array
      integer(c_int), value :: precision, numbers
      type(c_box), intent(in) :: box
      type(c_error), intent(out) :: error
    end function
    integer(c_int) function c_dataset_attribute(dataset, name, text, size, error) &
        bind(c, name="pfft3d_dataset_attribute")
      import
      type(c_ptr), value :: dataset
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_size_t), value :: size
      type(c_error), intent(out) :: error
    end function
    subroutine c_dataset_free(dataset) bind(c, name="pfft3d_dataset_free")
      import
      type(c_ptr), intent(inout) :: dataset
    end subroutine
    integer(c_int) function c_output_create(comm, spec, size, output, error) &
        bind(c, name="pfft3d_output_create_f")
      import
      integer(c_int), intent(in) :: comm
      type(c_output_spec), intent(in) :: spec
      integer(c_size_t), value :: size
      type(c_ptr), intent(out) :: output
      type(c_error), intent(out) :: error
    end function
    integer(c_int) function c_output_write(output, box, array, error) bind(c, name="pfft3d_output_write")
      import
      type(c_ptr), value :: output, array
      type(c_box), intent(in) :: box
      type(c_error), intent(out) :: error
    end function
    integer(c_int) function c_output_commit(output, error) bind(c, name="pfft3d_output_commit")
      import
      type(c_ptr), intent(inout) :: output
      type(c_error), intent(out) :: error
    end function
    subroutine c_output_discard(output) bind(c, name="pfft3d_output_discard")
      import
      type(c_ptr), intent(inout) :: output
    end subroutine
  end interface

  ! A dataset that was found in a file.
  type, public :: pfft3d_dataset
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    ! (comm, name): 'FILE', 'FILE:/path', 'FILE:/path[3,:,:]'; raw, offset: of a file of numbers only,
    ! 'f8:64x64x64' with the axes in C order, and where its array begins
    generic :: open => dataset_open
    procedure :: close => dataset_close        ! collective, as the end of its scope is
    procedure :: extents => dataset_extents    ! three; those of missing axes are 1
    procedure :: dims => dataset_dims          ! 1 to 3
    procedure :: is_complex => dataset_complex
    procedure :: nonfinite => dataset_nonfinite ! elements of the last read() that are not finite
    procedure :: attribute => dataset_attribute ! (name): a text, empty without it
    generic :: read => read_s, read_d, read_c, read_z ! (lo, array)
    procedure, private :: dataset_open, read_s, read_d, read_c, read_z, copy_dataset
    generic :: assignment(=) => copy_dataset
#ifndef PFFT3D_NO_MPI_F08
    procedure, private :: dataset_open_f08
    generic :: open => dataset_open_f08
#endif
    final :: dataset_final
  end type

  ! (comm, name, n, lo, array, overwrite, source): a file with one dataset, which all ranks write.
  interface pfft3d_write
    module procedure write_s, write_d, write_c, write_z
#ifndef PFFT3D_NO_MPI_F08
    module procedure write_f08_s, write_f08_d, write_f08_c, write_f08_z
#endif
  end interface
  public :: pfft3d_write

contains

#include "pfft3d_errors.inc"

  ! ---- Input ---------------------------------------------------------------------------------------

  subroutine dataset_open(dataset, comm, name, stat, errmsg, raw, offset)
    class(pfft3d_dataset), intent(inout) :: dataset
    integer, intent(in) :: comm
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(*), intent(in), optional :: raw
    integer(c_ptrdiff_t), intent(in), optional :: offset
    character(:, kind=c_char), allocatable, target :: file, layout
    type(c_input_spec) :: spec
    integer(c_int) :: status
    type(c_error) :: error
    call dataset_close(dataset)
    file = c_text(name)
    spec = c_input_spec(c_loc(file), c_null_ptr, -1, 0, 0, c_null_ptr)
    if (present(offset)) spec%offset = offset
    if (present(raw)) then
      layout = c_text(raw)
      spec%layout = c_loc(layout)
    end if
    status = c_dataset_open(comm, spec, c_sizeof(spec), dataset%handle, error)
    call report_c(status, error, stat, errmsg)
  end subroutine

#ifndef PFFT3D_NO_MPI_F08
  subroutine dataset_open_f08(dataset, comm, name, stat, errmsg, raw, offset)
    class(pfft3d_dataset), intent(inout) :: dataset
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(*), intent(in), optional :: raw
    integer(c_ptrdiff_t), intent(in), optional :: offset
    call dataset_open(dataset, comm%mpi_val, name, stat, errmsg, raw, offset)
  end subroutine
#endif

  subroutine dataset_close(dataset)
    class(pfft3d_dataset), intent(inout) :: dataset
    if (c_associated(dataset%handle)) call c_dataset_free(dataset%handle)
    dataset%handle = c_null_ptr
  end subroutine

  subroutine dataset_final(dataset)
    type(pfft3d_dataset), intent(inout) :: dataset
    call dataset_close(dataset)
  end subroutine

  subroutine copy_dataset(to, from)
    class(pfft3d_dataset), intent(inout) :: to
    class(pfft3d_dataset), intent(in) :: from
    if (.not. c_associated(to%handle, from%handle)) call no_copies('a dataset')
  end subroutine

  ! All zero for a dataset that is not open.
  function info_of(dataset) result(info)
    class(pfft3d_dataset), intent(in) :: dataset
    type(c_dataset_info) :: info
    integer(c_int) :: status
    info = c_dataset_info(c_null_ptr, c_null_ptr, c_null_ptr, 0, 0, 0, 0, 1, 0, 0, c_null_ptr, &
      c_null_ptr, 0, 0, c_null_ptr, c_null_ptr)
    if (.not. c_associated(dataset%handle)) return
    status = c_dataset_get_info(dataset%handle, info, c_sizeof(info))
    if (status /= pfft3d_ok) info%dims = 0
  end function

  function dataset_extents(dataset) result(n)
    class(pfft3d_dataset), intent(in) :: dataset
    integer :: n(3)
    type(c_dataset_info) :: info
    info = info_of(dataset)
    n = int(info%n(3:1:-1))
  end function

  integer function dataset_dims(dataset)
    class(pfft3d_dataset), intent(in) :: dataset
    type(c_dataset_info) :: info
    info = info_of(dataset)
    dataset_dims = info%dims
  end function

  logical function dataset_complex(dataset)
    class(pfft3d_dataset), intent(in) :: dataset
    type(c_dataset_info) :: info
    info = info_of(dataset)
    dataset_complex = info%numbers == 0
  end function

  integer(int64) function dataset_nonfinite(dataset)
    class(pfft3d_dataset), intent(in) :: dataset
    type(c_dataset_info) :: info
    info = info_of(dataset)
    dataset_nonfinite = int(info%nonfinite, int64)
  end function

  subroutine dataset_attribute(dataset, name, text, stat, errmsg)
    class(pfft3d_dataset), intent(in) :: dataset
    character(*), intent(in) :: name
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char) :: buffer(4096)
    type(c_error) :: error
    integer(c_int) :: status
    buffer(1) = c_null_char
    status = c_dataset_attribute(dataset%handle, c_text(name), buffer, size(buffer, kind=c_size_t), error)
    text = chars(buffer)
    call report_c(status, error, stat, errmsg)
  end subroutine

  ! The part of a dataset that an array of this shape is, from lo on.
  pure function part(lo, n) result(box)
    integer, intent(in) :: lo(3), n(3)
    type(c_box) :: box
    box = c_box(int(lo(3:1:-1) - 1, whole), int(n(3:1:-1), whole), 0, 0, 0)
  end function

  subroutine read_any(dataset, precision, numbers, box, array, stat, errmsg)
    class(pfft3d_dataset), intent(in) :: dataset
    integer, intent(in) :: precision, numbers
    type(c_box), intent(in) :: box
    type(c_ptr), intent(in) :: array
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_error) :: error
    call report_c(c_dataset_read(dataset%handle, precision, numbers, box, array, error), error, stat, errmsg)
  end subroutine

  ! ---- Output --------------------------------------------------------------------------------------

  subroutine write_any(comm, name, n, box, precision, numbers, array, overwrite, source, stat, errmsg)
    integer, intent(in) :: comm, n(:), precision, numbers
    character(*), intent(in) :: name
    type(c_box), intent(in) :: box
    type(c_ptr), intent(in) :: array
    logical, intent(in), optional :: overwrite
    type(pfft3d_dataset), intent(in), optional :: source
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(len_trim(name) + 1, kind=c_char), target :: text
    type(c_output_spec) :: spec
    type(c_error) :: error
    type(c_ptr) :: output
    integer(c_int) :: status
    integer :: k
    text = c_text(name)
    spec = c_output_spec(c_loc(text), c_null_ptr, precision, numbers, size(n), 1, 0, c_null_ptr, c_null_ptr, c_null_ptr, &
      c_null_ptr, 0, 0)
    do k = 1, min(size(n), 3)
      spec%n(4 - k) = n(k)
    end do
    if (present(overwrite)) spec%overwrite = merge(1, 0, overwrite)
    if (present(source)) spec%source = source%handle
    status = c_output_create(comm, spec, c_sizeof(spec), output, error)
    if (status == pfft3d_ok) status = c_output_write(output, box, array, error)
    if (status == pfft3d_ok) then
      status = c_output_commit(output, error)
    else if (c_associated(output)) then
      call c_output_discard(output)
    end if
    call report_c(status, error, stat, errmsg)
  end subroutine

  ! ---- For each type of numbers --------------------------------------------------------------------

#define ELEMENT real(real32)
#define PRECISION 1
#define NUMBERS 1
#define READ_IT read_s
#define WRITE_IT write_s
#define WRITE_F08 write_f08_s
#include "pfft3d_files.inc"

#define ELEMENT real(real64)
#define PRECISION 0
#define NUMBERS 1
#define READ_IT read_d
#define WRITE_IT write_d
#define WRITE_F08 write_f08_d
#include "pfft3d_files.inc"

#define ELEMENT complex(real32)
#define PRECISION 1
#define NUMBERS 0
#define READ_IT read_c
#define WRITE_IT write_c
#define WRITE_F08 write_f08_c
#include "pfft3d_files.inc"

#define ELEMENT complex(real64)
#define PRECISION 0
#define NUMBERS 0
#define READ_IT read_z
#define WRITE_IT write_z
#define WRITE_F08 write_f08_z
#include "pfft3d_files.inc"
end module pfft3d_hdf5
