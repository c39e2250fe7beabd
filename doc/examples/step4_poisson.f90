! SPDX-License-Identifier: BSD-3-Clause
! Step 4 in Fortran: the periodic Poisson problem, in place.  step4_poisson.c is the same in C, with
! the same numbers, and has the comments; sizes and axes are in the other order here.
program step4_poisson
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use pfft3d
  implicit none
  real(real64), parameter :: two_pi = 6.283185307179586_real64
  integer, parameter :: n(3) = [27, 24, 32]
  type(pfft3d_plan) :: plan
  complex(real64), pointer :: u(:, :, :), v(:, :, :)
  integer :: lo(3), hi(3), i, j, k, rank, ierr
  real(real64) :: error, worst, squares

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call plan%create(MPI_COMM_WORLD, 'c2c:d:32x24x27 order=transposed', &
    scale=[1.0_real64, 1.0_real64 / product(n)])
  call plan%array(u, pfft3d_space)                           ! holds the larger of both sides
  call plan%array(v, pfft3d_spectrum, memory=c_loc(u))       ! the same memory, as (k1, k3, k2)

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
    do k = lo(3), hi(3)
      do i = lo(1), hi(1)
        squares = squared(i, n(1)) + squared(j, n(2)) + squared(k, n(3))
        v(i, k, j) = merge(v(i, k, j) / max(squares, 1.0_real64), (0.0_real64, 0.0_real64), squares > 0)
      end do
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
  if (rank == 0) print '(a, es7.1)', 'largest error of the solution: ', worst
  call plan%destroy()
  call MPI_Finalize(ierr)
  if (.not. worst < 1e-12_real64) error stop 1

contains

  pure function position(i, j, k)
    integer, intent(in) :: i, j, k
    real(real64) :: position(3)
    position = two_pi * real([i, j, k] - 1, real64) / n
  end function

  ! exp(sin x3) sin(x2) cos(2 x1): x3 is axis 0 of C.
  pure real(real64) function solution(x)
    real(real64), intent(in) :: x(3)
    solution = exp(sin(x(3))) * sin(x(2)) * cos(2 * x(1))
  end function

  pure real(real64) function right_side(x)
    real(real64), intent(in) :: x(3)
    right_side = (5 - cos(x(3))**2 + sin(x(3))) * solution(x)
  end function

  ! The square of the wave number at index i of a spectrum.
  pure real(real64) function squared(i, n)
    integer, intent(in) :: i, n
    squared = real(merge(i - 1, i - 1 - n, 2 * (i - 1) <= n), real64)**2
  end function
end program
