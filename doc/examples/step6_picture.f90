! SPDX-License-Identifier: BSD-3-Clause
! Step 6 in Fortran: a picture of a head.  step6_picture.c is the same in C, with the same numbers, and
! has the comments; axes are in the other order here.
program step6_picture
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08
  use pfft3d
  use pfft3d_hdf5
  implicit none
  type(pfft3d_dataset) :: input
  type(pfft3d_plan) :: plan
  real(real64), pointer :: u(:, :, :)
  complex(real64), pointer :: v(:, :, :)
  real(real64), allocatable :: before(:, :)
  character(1000) :: name(2)
  integer :: n(3), middle, c

  call MPI_Init()
  if (command_argument_count() /= 2) then
    write (error_unit, '(a)') 'usage: step6_picture INPUT.h5 OUTPUT.pgm'
    error stop 64
  end if
  do c = 1, 2
    call get_command_argument(c, name(c))
  end do
  call input%open(MPI_COMM_WORLD, name(1))
  n = input%extents()
  call plan%create(MPI_COMM_WORLD, 'type=r2c decomp=slab', size=n)
  call plan%array(u, pfft3d_space)
  call plan%array(v, pfft3d_spectrum)
  call input%read(lbound(u), u)
  middle = n(3) / 2 + 1
  if (middle >= lbound(u, 3) .and. middle <= ubound(u, 3)) before = u(:, :, middle)

  call plan%execute(pfft3d_forward, u, v)
  call smooth()
  call plan%execute(pfft3d_backward, v, u)
  if (allocated(before)) call draw(trim(name(2)), before, u(:, :, middle))
  call input%close()
  call plan%destroy()
  call MPI_Finalize()

contains

  subroutine smooth()
    integer :: i, j, k
    real(real64) :: scale
    scale = 1 / product(real(n, real64))
    do k = lbound(v, 3), ubound(v, 3)
      do j = lbound(v, 2), ubound(v, 2)
        do i = lbound(v, 1), ubound(v, 1)
          v(i, j, k) = v(i, j, k) * merge(scale, 0.0_real64, &
            squared(k, n(3)) + squared(j, n(2)) + squared(i, n(1)) <= 1.0_real64 / 64)
        end do
      end do
    end do
  end subroutine

  ! Of the cycles per voxel at index i of a spectrum.
  pure real(real64) function squared(i, size)
    integer, intent(in) :: i, size
    squared = (real(merge(i - 1, i - 1 - size, 2 * (i - 1) <= size), real64) / size)**2
  end function

  subroutine draw(file, before, after)
    character(*), intent(in) :: file
    real(real64), intent(in) :: before(:, :), after(:, :)
    integer :: unit, j
    character(40) :: head
    write (head, '(a, i0, a, i0, a)') 'P5' // new_line('a'), 2 * size(after, 1), ' ', size(after, 2), &
      new_line('a') // '255' // new_line('a')
    open (newunit=unit, file=file, access='stream', form='unformatted', status='replace')
    write (unit) trim(head)
    do j = size(after, 2), 1, -1
      write (unit) grey(before(:, j)), grey(after(:, j))
    end do
    close (unit)
  end subroutine

  pure elemental character function grey(value)
    real(real64), intent(in) :: value
    grey = achar(min(max(floor(value + 0.5_real64), 0), 255))
  end function
end program
