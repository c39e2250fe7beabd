! SPDX-License-Identifier: BSD-3-Clause
! Step 5 in Fortran: a turbulent flow from the Taylor-Green vortex on.  step5_taylor_green.c is the same
! in C, with the same numbers, and has the comments; axes are in the other order here.
program step5_taylor_green
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use pfft3d
  implicit none
  integer, parameter :: n = 16, steps = 10
  real(real64), parameter :: nu = 0.000625_real64, dt = 0.01_real64, points = real(n, real64)**3
  complex(real64), parameter :: i = (0.0_real64, 1.0_real64)
  type(pfft3d_plan) :: plan
  real(real64), pointer :: field(:, :, :)
  complex(real64), pointer :: spectrum(:, :, :)
  ! The velocity and the vorticity, wave numbers, and which modes are kept; the last index is the component.
  real(real64), allocatable :: u(:, :, :, :), w(:, :, :, :), k(:, :, :, :), k2(:, :, :), keep(:, :, :)
  complex(real64), allocatable :: flow(:, :, :, :), change(:, :, :, :), start(:, :, :, :), total(:, :, :, :)
  real(real64) :: energy
  integer :: c, s, rank, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call plan%create(MPI_COMM_WORLD, 'r2c:d:16x16x16 order=natural', scale=[1 / points, 1.0_real64])
  call plan%array(field, pfft3d_space)
  call plan%array(spectrum, pfft3d_spectrum)
  call begin()
  do s = 1, steps
    call step()
  end do

  energy = 0
  do c = 1, 3
    call to_space(flow(:, :, :, c), u(:, :, :, c))
  end do
  energy = sum(u**2)
  call MPI_Allreduce(MPI_IN_PLACE, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  energy = energy / 2 / points
  if (rank == 0) print '(a, f12.10)', 'energy at t = 0.1: ', energy
  call plan%destroy()
  call MPI_Finalize(ierr)
  if (.not. abs(energy - 0.124953117517_real64) < 1e-11_real64) error stop 1

contains

  subroutine to_space(from, to)
    complex(real64), intent(in) :: from(:, :, :)
    real(real64), intent(out) :: to(:, :, :)
    spectrum = from
    call plan%execute(pfft3d_backward, spectrum, field)
    to = field
  end subroutine

  subroutine to_spectrum(from, to)
    real(real64), intent(in) :: from(:, :, :)
    complex(real64), intent(out) :: to(:, :, :)
    field = from
    call plan%execute(pfft3d_forward, field, spectrum)
    to = spectrum
  end subroutine

  subroutine begin()
    integer :: a, b, d, lo(3), hi(3)
    real(real64) :: x(3)
    call plan%box(pfft3d_space, lo, hi)
    allocate(u(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 3), source=0.0_real64)
    allocate(w, mold=u)
    do d = lo(3), hi(3)
      do b = lo(2), hi(2)
        do a = lo(1), hi(1)
          x = 2 * acos(-1.0_real64) * real([a, b, d] - 1, real64) / n
          u(a, b, d, 1) = cos(x(1)) * cos(x(2)) * sin(x(3))
          u(a, b, d, 2) = -cos(x(1)) * sin(x(2)) * cos(x(3))
        end do
      end do
    end do
    call plan%box(pfft3d_spectrum, lo, hi)
    allocate(k(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 3))
    allocate(k2(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)), keep(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3)))
    allocate(flow(lo(1):hi(1), lo(2):hi(2), lo(3):hi(3), 3))
    allocate(change, start, total, mold=flow)
    do d = lo(3), hi(3)
      do b = lo(2), hi(2)
        do a = lo(1), hi(1)
          ! Component 1 is along axis 0 of C, the last one here.
          k(a, b, d, :) = [wave_number(d), wave_number(b), wave_number(a)]
        end do
      end do
    end do
    k2 = sum(k**2, dim=4)
    keep = merge(1.0_real64, 0.0_real64, all(abs(k) < n / 3.0_real64, dim=4))
    do a = 1, 3
      call to_spectrum(u(:, :, :, a), flow(:, :, :, a))
    end do
  end subroutine

  pure real(real64) function wave_number(index)
    integer, intent(in) :: index
    wave_number = real(merge(index - 1, index - 1 - n, 2 * (index - 1) <= n), real64)
  end function

  subroutine differentiate()
    integer :: c, d, e
    complex(real64) :: along(size(k2, 1), size(k2, 2), size(k2, 3))
    do c = 1, 3
      d = modulo(c, 3) + 1
      e = modulo(c + 1, 3) + 1
      call to_space(flow(:, :, :, c), u(:, :, :, c))
      call to_space(i * (k(:, :, :, d) * flow(:, :, :, e) - k(:, :, :, e) * flow(:, :, :, d)), w(:, :, :, c))
    end do
    do c = 1, 3
      d = modulo(c, 3) + 1
      e = modulo(c + 1, 3) + 1
      call to_spectrum(u(:, :, :, d) * w(:, :, :, e) - u(:, :, :, e) * w(:, :, :, d), change(:, :, :, c))
    end do
    along = sum(k * change, dim=4) / max(k2, 1.0_real64)
    do c = 1, 3
      change(:, :, :, c) = keep * (change(:, :, :, c) - along * k(:, :, :, c)) - nu * k2 * flow(:, :, :, c)
    end do
  end subroutine

  ! Runge-Kutta of order 4.
  subroutine step()
    real(real64), parameter :: weight(4) = dt * [1, 2, 2, 1] / 6, ahead(4) = dt * [1, 1, 2, 0] / 2
    integer :: stage
    start = flow
    total = flow
    do stage = 1, 4
      call differentiate()
      total = total + weight(stage) * change
      flow = start + ahead(stage) * change
    end do
    flow = total
  end subroutine
end program
