! SPDX-License-Identifier: BSD-3-Clause
! Step 7 in Fortran: two axes transformed, a solver of one's own along the third.  step7_lines.c is
! the same in C, with the same numbers, and has the comments; sizes and axes are in the other order
! here, so the lines run along the last axis.
program step7_lines
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use pfft3d
  implicit none
  real(real64), parameter :: two_pi = 6.283185307179586_real64
  integer, parameter :: n(3) = [27, 32, 24]
  type(pfft3d_plan) :: plan
  real(real64), pointer :: u(:, :, :)
  complex(real64), pointer :: v(:, :, :)
  integer :: lo(3), hi(3), i, j, k, rank, ierr
  real(real64) :: error, worst

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call plan%create(MPI_COMM_WORLD, 'r2c:d:24x32x27:none,dft,dft order=transposed joined', &
    scale=[1.0_real64, 1.0_real64 / product(n(1:2))])          ! axis 3 has no factor
  call plan%array(u, pfft3d_space)                           ! holds the larger of both sides
  call plan%array(v, pfft3d_spectrum, memory=c_loc(u))       ! the same memory, as (k1, x3, k2)

  do k = lbound(u, 3), ubound(u, 3)
    do j = lbound(u, 2), ubound(u, 2)
      do i = lbound(u, 1), ubound(u, 1)
        u(i, j, k) = right_side(position(i, j, k))
      end do
    end do
  end do
  call plan%execute(pfft3d_forward, u)
  call plan%box(pfft3d_spectrum, lo, hi)
  do j = lo(2), hi(2)
    do i = lo(1), hi(1)
      call solve_line(v(i, :, j), real(i - 1, real64)**2 + squared(j, n(2)))
    end do
  end do
  call plan%execute(pfft3d_backward, v)

  worst = 0
  do k = lbound(u, 3), ubound(u, 3)
    do j = lbound(u, 2), ubound(u, 2)
      do i = lbound(u, 1), ubound(u, 1)
        error = abs(u(i, j, k) - solution(position(i, j, k)))
        worst = max(worst, merge(error, huge(error), error <= huge(error)))  ! a maximum would hide a NaN
      end do
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(2a)', 'largest error of the solution is of rounding: ', merge('yes', 'no ', worst < 1e-14_real64)
  call plan%destroy()
  call MPI_Finalize(ierr)
  if (.not. worst < 1e-14_real64) error stop 1

contains

  pure function position(i, j, k)
    integer, intent(in) :: i, j, k
    real(real64) :: position(3)
    position = [two_pi * (i - 1) / n(1), two_pi * (j - 1) / n(2), real(k, real64) / (n(3) + 1)]
  end function

  ! x3 (1 - x3) sin(x2) cos(2 x1): x3 is axis 0 of C.
  pure real(real64) function solution(x)
    real(real64), intent(in) :: x(3)
    solution = x(3) * (1 - x(3)) * sin(x(2)) * cos(2 * x(1))
  end function

  pure real(real64) function right_side(x)
    real(real64), intent(in) :: x(3)
    right_side = (-2 - 5 * x(3) * (1 - x(3))) * sin(x(2)) * cos(2 * x(1))
  end function

  ! The square of the wave number at index i of a spectrum.
  pure real(real64) function squared(i, n)
    integer, intent(in) :: i, n
    squared = real(merge(i - 1, i - 1 - n, 2 * (i - 1) <= n), real64)**2
  end function

  ! u(i-1) - (2 + k2 h**2) u(i) + u(i+1) = h**2 g(i), by elimination.
  pure subroutine solve_line(u, k2)
    complex(real64), intent(inout) :: u(:)
    real(real64), intent(in) :: k2
    real(real64) :: ratio(0:size(u)), h2
    complex(real64) :: before
    integer :: i
    h2 = 1.0_real64 / (n(3) + 1)**2
    ratio(0) = 0
    before = 0
    do i = 1, size(u)
      ratio(i) = 1 / (2 + k2 * h2 - ratio(i - 1))
      u(i) = ratio(i) * (before - h2 * u(i))
      before = u(i)
    end do
    do i = size(u) - 1, 1, -1
      u(i) = u(i) + ratio(i) * u(i + 1)
    end do
  end subroutine
end program
