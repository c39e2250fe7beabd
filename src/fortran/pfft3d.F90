! SPDX-License-Identifier: BSD-3-Clause
!
! pfft3d for Fortran: requests, plans, their arrays, wisdom, redistributions and ghost cells as objects
! over the C library, in Fortran 2008 with the arrays of any rank of TS 29113, as mpi_f08 has it.  A .mod
! file belongs to a compiler: where the installed one is another's, compile this file with yours
! (-DPFFT3D_NO_MPI_F08 without a module mpi_f08), and link -lpfft3d.
!
!     type(pfft3d_plan) :: plan
!     complex(real64), pointer :: u(:, :, :), v(:, :, :)
!     call plan%create(MPI_COMM_WORLD, 'c2c:d', size=[nx, ny, nz])
!     call plan%array(u, pfft3d_space)
!     call plan%array(v, pfft3d_spectrum)
!     ... fill u, whose bounds are the indices of the whole field that this rank holds ...
!     call plan%execute(pfft3d_forward, u, v)
!
! Axes and indices are those of Fortran here: the first axis is contiguous, it is axis 2 of the C
! library, and indices begin with 1.  Texts are read by the C library and have its order of axes:
! 'c2c:d:50x48x64' is a field of size [64, 48, 50].  The headers say what is collective and what
! keys, arrays and boxes mean.
!
! Errors: with stat= a status goes there, 0 without an error, and its line to errmsg=.  Without stat=
! an error is printed and ends the program, as for allocate.
module pfft3d
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real32, real64
#ifndef PFFT3D_NO_MPI_F08
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  private

  integer, parameter, public :: pfft3d_forward = 0, pfft3d_backward = 1
  integer, parameter, public :: pfft3d_space = 0, pfft3d_spectrum = 1
  integer, parameter, public :: pfft3d_ok = 0, pfft3d_err_usage = 64, pfft3d_err_data = 65, &
    pfft3d_err_noinput = 66, pfft3d_err_unavailable = 69, pfft3d_err_internal = 70, &
    pfft3d_err_memory = 71, pfft3d_err_output = 73, pfft3d_err_io = 74, &
    pfft3d_err_permission = 77, pfft3d_err_wisdom = 78
  public :: pfft3d_version
  public :: pfft3d_grace ! seconds until the job ends after an MPI call has failed on one rank alone; pfft3d_tune.h says more
  public :: pfft3d_prepare_mpi ! before MPI_Init: settings that suit the exchanges; pfft3d_tune.h says more

  integer, parameter :: whole = c_ptrdiff_t
#include "pfft3d_c.inc"

  ! What a plan is made from.  It is made by its first setter.
  type, public :: pfft3d_request
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: parse => request_parse         ! (text): a problem and keys, 'r2c:d:64x64x64 threads=2'
    generic :: set => set_text, set_number, set_list, set_words, set_logical ! (key, value)
    procedure :: scale => request_scale         ! (forward, backward): factors on results
    procedure :: array => request_array         ! (side, below, above): ghost cells and padding
    procedure :: box => request_box             ! (side, lo, hi): what this rank holds
    procedure :: cuts => request_cuts           ! (side, axis, last): indices after which an axis is cut
    procedure :: text => request_text           ! what parse() reads
    procedure :: explain => request_explain     ! (ranks, x): a dry run
    procedure :: candidates => request_candidates ! (ranks, list): all ways, cheapest first by the model
    generic :: tune => request_tune             ! (comm, list, repeats, budget, wisdom): timed, fastest first
    procedure :: wisdom => request_wisdom       ! (wisdom, required): asked first where a choice is open
    procedure, private :: request_tune
#ifndef PFFT3D_NO_MPI_F08
    generic :: tune => request_tune_f08
    procedure, private :: request_tune_f08
#endif
    procedure, private :: set_text, set_number, set_list, set_words, set_logical, copy_request
    generic :: assignment(=) => copy_request
    final :: request_final
  end type

  ! What a dry run says: the largest number of any rank.  Bytes and seconds.
  type, public :: pfft3d_explanation
    character(:), allocatable :: decision, reason
    integer :: idle_ranks = 0, exchanges = 0
    real(real64) :: messages = 0, bytes = 0, user_bytes = 0, work_bytes = 0, passes = 0, seconds = 0
  end type

  ! One way to do what a request leaves open.  Seconds of a forward and a backward transform: by the
  ! model, and the median on the clock, 0 where it was not timed.
  type, public :: pfft3d_candidate
    character(:), allocatable :: decision
    real(real64) :: predicted = 0, measured = 0
    integer :: repeats = 0
  end type

  ! Which candidate was fastest for a question.  It must live as long as the requests that ask it.
  type, public :: pfft3d_wisdom
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    generic :: read => wisdom_read              ! (comm, file): a file that is missing adds nothing
    generic :: write => wisdom_write            ! (comm, file): merged into the file
    procedure :: count => wisdom_count
    procedure :: line => wisdom_line            ! (i): an entry as in a file, empty past the last one
    procedure :: notice => wisdom_notice        ! what the last read() or write() has to report
    procedure, private :: wisdom_read, wisdom_write, copy_wisdom
#ifndef PFFT3D_NO_MPI_F08
    generic :: read => wisdom_read_f08
    generic :: write => wisdom_write_f08
    procedure, private :: wisdom_read_f08, wisdom_write_f08
#endif
    generic :: assignment(=) => copy_wisdom
    final :: wisdom_final
  end type

  ! What a rank did in its executions of a direction; pfft3d_tune.h says more.  Seconds and bytes.
  type, public :: pfft3d_stage
    character(3) :: axes = '' ! transformed, in their order, in Fortran's numbers: '12'; '': data is moved
    real(real64) :: seconds = 0, bytes = 0
  end type
  type, public :: pfft3d_stats
    integer(int64) :: executions = 0, work_bytes = 0
    real(real64) :: total = 0, fft = 0, post = 0, wait = 0 ! of all executions
    real(real64) :: messages = 0, bytes = 0, bytes_min = 0, bytes_max = 0, traffic = 0
    real(real64) :: stored = 0    ! bytes stored into memory of other ranks instead of sent
    integer :: exchanges = 0      ! per transform
    real(real64) :: passes = 0    ! per transform
    type(pfft3d_stage), allocatable :: stages(:)
  end type

  ! Where find_array() found an array: its bounds, and elements from..to of the memory at `at`.
  type :: place
    logical :: bad
    type(c_ptr) :: at
    integer(whole) :: lo(4), hi(4), from, to
  end type

  ! An array that a caller passes: its type, size (negative if it is not known), address.
  type :: passed
    integer :: code
    integer(whole) :: n
    logical :: contiguous
    type(c_ptr) :: at
  end type

  type, public :: pfft3d_plan
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: rank = 0, batch = 1, codes(0:1) = 0, order(3, 0:1) = 0
    integer(whole) :: n(0:1) = 0
    type(c_box) :: mine(0:1)
    real(c_double), pointer :: factors(:) => null() ! of axis 1, then of 2 and 3
  contains
    generic :: create => create_text, create_request ! (comm, text, size, scale) or (comm, request)
    procedure :: destroy => plan_destroy        ! collective, as the end of a plan's scope is
    generic :: execute => & ! (direction, in, out), or (direction, array) in place
      execute_dd, execute_ss, execute_zz, execute_cc, execute_dz, execute_zd, execute_sc, execute_cs, &
      execute_d, execute_s, execute_z, execute_c
    procedure :: multiplier => plan_multiplier  ! (m1, m2, m3): of backward transforms; (): none
    generic :: array => & ! (pointer, side): new memory, collective; or with memory=
      array_d1, array_d2, array_d3, array_d4, array_s1, array_s2, array_s3, array_s4, &
      array_z1, array_z2, array_z3, array_z4, array_c1, array_c2, array_c3, array_c4
    procedure :: free => plan_free              ! (memory): collective, before destroy()
    procedure :: box => plan_box                ! (side, lo, hi, rank): indices that a rank holds
    procedure :: bounds => plan_bounds          ! (side, lo, hi): of this rank's array in memory
    procedure :: axes => plan_axes              ! (side): which axis each index of an array counts
    procedure :: extents => plan_extents        ! (side): of the whole array; 0 beyond default integers
    procedure :: index => plan_index            ! (side, rank, i): in one dimension
    procedure :: elements => plan_elements      ! (side): of this rank's array
    procedure :: bytes => plan_bytes            ! of an array that serves both sides
    procedure :: text => plan_text              ! the problem and the decision
    procedure :: reason => plan_reason          ! why, in words
    procedure :: decided_by => plan_decided_by  ! 'request', 'model', 'timing' or 'wisdom'
    procedure :: stats => plan_stats            ! (direction, stats, reset): since the last reset
    procedure, private :: create_text, create_request, copy_plan
    procedure, private :: execute_dd, execute_ss, execute_zz, execute_cc, execute_dz, execute_zd, &
      execute_sc, execute_cs, execute_d, execute_s, execute_z, execute_c
    procedure, private :: array_d1, array_d2, array_d3, array_d4, array_s1, array_s2, array_s3, &
      array_s4, array_z1, array_z2, array_z3, array_z4, array_c1, array_c2, array_c3, array_c4
#ifndef PFFT3D_NO_MPI_F08
    generic :: create => create_text_f08, create_request_f08
    procedure, private :: create_text_f08, create_request_f08
#endif
    generic :: assignment(=) => copy_plan
    final :: plan_final
  end type

  ! Moves arrays of 1 to 4 axes between any boxes, or fills ghost cells.
  type, public :: pfft3d_redist
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    generic :: create => redist_create          ! (comm, n, from_lo, from_hi, to_lo, to_hi, element)
    generic :: create_halo => halo_create       ! (comm, n, lo, hi, below, above, periodic, element)
    procedure :: execute => redist_execute      ! (direction, in, out)
    procedure :: execute_in_place => redist_in_place ! (direction, array), and for ghost cells
    procedure :: destroy => redist_destroy
    procedure, private :: redist_create, halo_create, copy_redist
#ifndef PFFT3D_NO_MPI_F08
    generic :: create => redist_create_f08
    generic :: create_halo => halo_create_f08
    procedure, private :: redist_create_f08, halo_create_f08
#endif
    generic :: assignment(=) => copy_redist
    final :: redist_final
  end type

  integer, parameter :: code_s = 1, code_d = 2, code_c = 3, code_z = 4
  character(*), parameter :: beyond_integers = 'indices beyond 2147483647, which default integers do not hold'
  character(*), parameter :: no_bounds = &
    'elements of this side are not those of an array with bounds'
  character(*), parameter :: code_names(4) = [character(15) :: 'real(real32)', 'real(real64)', &
    'complex(real32)', 'complex(real64)']

contains

#include "pfft3d_errors.inc"
#include "pfft3d_requests.inc"
#include "pfft3d_plans.inc"
#include "pfft3d_redist.inc"
#include "pfft3d_tune.inc"

  ! ---- For each type of numbers --------------------------------------------------------------------

#define ELEMENT real(real64)
#define CODE code_d
#define ARRAY1 array_d1
#define ARRAY2 array_d2
#define ARRAY3 array_d3
#define ARRAY4 array_d4
#define EXECUTE_OUT execute_dd
#define EXECUTE_IN execute_d
#include "pfft3d_arrays.inc"

#define ELEMENT real(real32)
#define CODE code_s
#define ARRAY1 array_s1
#define ARRAY2 array_s2
#define ARRAY3 array_s3
#define ARRAY4 array_s4
#define EXECUTE_OUT execute_ss
#define EXECUTE_IN execute_s
#include "pfft3d_arrays.inc"

#define ELEMENT complex(real64)
#define CODE code_z
#define ARRAY1 array_z1
#define ARRAY2 array_z2
#define ARRAY3 array_z3
#define ARRAY4 array_z4
#define EXECUTE_OUT execute_zz
#define EXECUTE_IN execute_z
#include "pfft3d_arrays.inc"

#define ELEMENT complex(real32)
#define CODE code_c
#define ARRAY1 array_c1
#define ARRAY2 array_c2
#define ARRAY3 array_c3
#define ARRAY4 array_c4
#define EXECUTE_OUT execute_cc
#define EXECUTE_IN execute_c
#include "pfft3d_arrays.inc"

#define IN_ELEMENT real(real64)
#define IN_CODE code_d
#define OUT_ELEMENT complex(real64)
#define OUT_CODE code_z
#define EXECUTE_OUT execute_dz
#include "pfft3d_execute.inc"

#define IN_ELEMENT complex(real64)
#define IN_CODE code_z
#define OUT_ELEMENT real(real64)
#define OUT_CODE code_d
#define EXECUTE_OUT execute_zd
#include "pfft3d_execute.inc"

#define IN_ELEMENT real(real32)
#define IN_CODE code_s
#define OUT_ELEMENT complex(real32)
#define OUT_CODE code_c
#define EXECUTE_OUT execute_sc
#include "pfft3d_execute.inc"

#define IN_ELEMENT complex(real32)
#define IN_CODE code_c
#define OUT_ELEMENT real(real32)
#define OUT_CODE code_s
#define EXECUTE_OUT execute_cs
#include "pfft3d_execute.inc"
end module pfft3d
