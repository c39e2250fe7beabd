! SPDX-License-Identifier: BSD-3-Clause
! ranks: 1 2 3 4 6
! The Fortran module: transforms of both precisions, in place and not, with bounds, padding, ghost cells,
! batches and boxes, against sums by the definition; redistributions by indices; errors by stat and
! errmsg.  Grids have fewer planes than ranks.
module trial
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
#ifdef PFFT3D_NO_MPI_F08
  use mpi
#else
  use mpi_f08
#endif
  use pfft3d
  implicit none
  real(real64), parameter :: two_pi = 6.283185307179586_real64
  integer :: bad = 0, rank, ranks
#ifdef PFFT3D_NO_MPI_F08
  integer :: world
#else
  type(MPI_Comm) :: world
#endif
contains
  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    bad = bad + 1
    print '(a, i0, 2a)', 'rank ', rank, ': wrong: ', what
  end subroutine

  ! The larger one of two errors; NaN is larger than any number, and stays.
  elemental function worse(a, b)
    real(real64), intent(in) :: a, b
    real(real64) :: worse
    worse = b
    if (ieee_is_nan(a) .or. a >= b) worse = a
  end function
end module

module trial_double
  use trial
  implicit none
  private
  public :: all_cases, field, sum_at
  integer, parameter :: k = real64
contains
#include "cases.inc"
end module

module trial_single
  use trial
  implicit none
  private
  public :: all_cases
  integer, parameter :: k = real32
contains
#include "cases.inc"
end module

program test_module
  use trial
  use trial_double, only: cases_of_double => all_cases, field, sum_at
  use trial_single, only: cases_of_single => all_cases
  implicit none
  integer :: ierr, all_bad
  call MPI_Init(ierr)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank, ierr)
  call MPI_Comm_size(world, ranks, ierr)
  call cases_of_double()
  call cases_of_single()
  call requests()
  call boxes()
  call lines()
  call ghost_cells()
  call tuning()
  call errors()
  call lifetimes()
  call MPI_Allreduce(bad, all_bad, 1, MPI_INTEGER, MPI_SUM, world, ierr)
  call MPI_Finalize(ierr)
  if (all_bad > 0) error stop 1
contains

  ! The part of n elements that this rank has when the last ranks have more: not how the library cuts.
  subroutine part(n, lo, hi)
    integer, intent(in) :: n
    integer, intent(out) :: lo, hi
    lo = rank * n / ranks + 1
    hi = (rank + 1) * n / ranks
  end subroutine

  subroutine requests()
    type(pfft3d_request) :: request, ghosts, cut
    type(pfft3d_explanation) :: x
    type(pfft3d_plan) :: plan
    integer :: lo(3), hi(3), stat
    character(:), allocatable :: text
    integer(int64) :: bytes
    real(real64), pointer :: u(:, :, :)
    complex(real64), pointer :: v(:, :, :), w(:, :, :)
    real(real64) :: m1(6), m2(5), m3(4), worst
    complex(real64), pointer :: s(:, :, :), t(:, :, :)
    integer :: i, a, b, c

    ! Lists are in Fortran's order, texts in C's.
    call request%set('size', [8, 6, 5])
    call request%set('type', 'r2c')
    call request%set('kind', ['dft ', 'dct2', 'none'])
    call request%set('threads', 1)
    call request%set('deterministic', .true.)
    text = request%text()
    call expect(index(text, 'r2c:d:5x6x8:none,dct2,dft') == 1, 'sizes and kinds: ' // text)
    call expect(index(text, 'deterministic=yes') > 0, 'logical keys: ' // text)
    call request%parse('c2c:d:9x8x7')
    call request%set('kind', 'dft')
    call request%set('keep', [4, 5, 6])
    text = request%text()
    call expect(index(text, 'c2c:d:9x8x7/6x5x4') == 1, 'kept modes: ' // text)

    call request%explain(16, x)
    call expect(index(x%decision, 'exchange=') > 0 .and. x%seconds > 0 .and. x%exchanges >= 1 .and. &
      x%user_bytes > 0 .and. x%work_bytes > 0 .and. x%messages > 0, 'explain: ' // x%decision)
    call request%explain(0, x, stat)
    call expect(stat == pfft3d_err_usage, 'explain on no ranks')

    ! Ghost cells and padding around the field.
    call ghosts%parse('r2c:d:5x6x8 decomp=pencil')
    call ghosts%array(pfft3d_space, [1, 2, 0], [3, 1, 1])
    call plan%create(world, ghosts)
    call plan%box(pfft3d_space, lo, hi)
    call plan%array(u, pfft3d_space)
    call plan%array(v, pfft3d_spectrum)
    if (all(lo <= hi)) then
      call expect(all(lbound(u) == lo - [1, 2, 0]) .and. all(ubound(u) == hi + [3, 1, 1]), 'ghost cells')
      u = huge(1.0_real64)
      do concurrent(a=lo(1):hi(1), b=lo(2):hi(2), c=lo(3):hi(3))
        u(a, b, c) = real(field(a, b, c))
      end do
    end if
    call plan%execute(pfft3d_forward, u, v)
    call plan%box(pfft3d_spectrum, lo, hi)
    worst = 0
    do c = lo(3), hi(3)
      do b = lo(2), hi(2)
        do a = lo(1), hi(1)
          worst = worse(worst, abs(v(a, b, c) - sum_at([a, b, c], [8, 6, 5], -1, .true.)))
        end do
      end do
    end do
    call expect(worst < 1e-12_real64, 'ghost cells are not read')
    text = plan%text()
    call expect(index(text, 'r2c:d:5x6x8 ') == 1, 'text of a plan: ' // text)
    text = plan%reason()
    call expect(text /= '', 'reason')
    text = pfft3d_version()
    call expect(index(text, '.') > 0, 'version')
    bytes = plan%bytes()
    call expect(bytes >= 16 * plan%elements(pfft3d_spectrum), 'bytes')

    ! A multiplier is the product with its factors, in Fortran's order, until it is taken back.
    call plan%create(world, 'c2c:d:4x5x6 order=transposed')
    call plan%array(s, pfft3d_space)
    call plan%array(t, pfft3d_space)
    call plan%array(v, pfft3d_spectrum)
    call plan%array(w, pfft3d_spectrum)
    m1 = [(1 + 0.5_real64 * i, i=1, 6)]
    m2 = [(2 - 0.3_real64 * i, i=1, 5)]
    m3 = [(1 + i * i, i=1, 4)]
    call plan%box(pfft3d_spectrum, lo, hi)
    do concurrent(a=lo(1):hi(1), b=lo(2):hi(2), c=lo(3):hi(3))
      v(a, c, b) = field(a, b, c)
      w(a, c, b) = field(a, b, c) * m1(a) * m2(b) * m3(c)
    end do
    call plan%multiplier(m1, m2, m3)
    call plan%execute(pfft3d_backward, v, s)
    call plan%multiplier()
    call plan%execute(pfft3d_backward, w, t)
    call plan%box(pfft3d_space, lo, hi)
    if (all(lo <= hi)) call expect(all(abs(s - t) <= 1e-11_real64) .and. maxval(abs(t)) > 1, 'multiplier')
    call plan%multiplier(m2, m1, m3, stat)
    call expect(stat == pfft3d_err_usage, 'multiplier of another size')

    ! Cuts.
    call cut%parse('c2c:d:8x8x8 decomp=slab')
    call cut%cuts(pfft3d_space, 3, [(min(8, 3 * i), i=0, ranks - 1), 8])
    call plan%create(world, cut)
    call plan%box(pfft3d_space, lo, hi)
    if (rank == 0 .and. ranks > 1) call expect(lo(3) == 1 .and. hi(3) == 3, 'cuts')
    if (ranks > 1) call plan%box(pfft3d_space, lo, hi, rank=1)
    if (ranks > 2) call expect(lo(3) == 4 .and. hi(3) == 6, 'cuts of another rank')
  end subroutine

  ! Boxes of the program's own, on both sides, along different axes; the spectrum in the order of its
  ! axes, or in the other one by its strides.
  subroutine boxes()
    type(pfft3d_plan) :: plan
    type(pfft3d_request) :: request
    complex(real64), pointer :: u(:, :, :), v(:, :, :)
    integer :: lo(3), hi(3), l(3), h(3), m(3), order(3), a, b, c, turn
    real(real64) :: worst
    lo = 1
    hi = [6, 5, 3]
    call part(5, lo(2), hi(2))
    l = 1
    h = [6, 5, 3]
    call part(6, l(1), h(1))
    call request%parse('c2c:d:3x5x6')
    call request%box(pfft3d_space, lo, hi)
    do turn = 1, 2
      if (turn == 1) then
        order = [1, 2, 3]
        call request%box(pfft3d_spectrum, l, h)
      else
        order = [3, 2, 1]
        call request%box(pfft3d_spectrum, l, h, stride=[15, 3, 1])
      end if
      call plan%create(world, request)
      call plan%array(u, pfft3d_space)
      call plan%array(v, pfft3d_spectrum)
      call expect(all(plan%axes(pfft3d_spectrum) == order), 'axes of boxes')
      m = h - l + 1
      call expect(all(shape(u) == hi - lo + 1) .and. all(shape(v) == m(order)), 'shapes of boxes')
      if (size(u) > 0) call expect(all(lbound(u) == lo) .and. all(ubound(u) == hi), 'bounds of boxes')
      do concurrent(a=lo(1):hi(1), b=lo(2):hi(2), c=lo(3):hi(3))
        u(a, b, c) = field(a, b, c)
      end do
      call plan%execute(pfft3d_forward, u, v)
      worst = 0
      do c = l(3), h(3)
        do b = l(2), h(2)
          do a = l(1), h(1)
            m = [a, b, c]
            m = m(order)
            worst = worse(worst, abs(v(m(1), m(2), m(3)) - sum_at([a, b, c], [6, 5, 3], -1, .false.)))
          end do
        end do
      end do
      call expect(worst < 1e-12_real64, 'boxes')
    end do
  end subroutine

  ! One dimension: elements by their global indices, in every order.
  subroutine lines()
    type(pfft3d_plan) :: plan
    complex(real64), pointer :: u(:), v(:)
    integer(int64) :: i
    integer :: j
    real(real64) :: worst
    do j = 1, 2
      call plan%create(world, trim(merge('order=natural    layout=cyclic', 'order=transposed              ', j == 1)), &
        size=[36])
      call plan%array(u, pfft3d_space)
      call plan%array(v, pfft3d_spectrum)
      do i = 1, size(u, kind=int64)
        u(lbound(u, 1) + i - 1) = field(int(plan%index(pfft3d_space, rank, i)), 1, 1)
      end do
      call plan%execute(pfft3d_forward, u, v)
      worst = 0
      do i = 1, size(v, kind=int64)
        worst = worse(worst, abs(v(lbound(v, 1) + i - 1) - &
          sum_at([int(plan%index(pfft3d_spectrum, rank, i)), 1, 1], [36, 1, 1], -1, .false.)))
      end do
      call expect(worst < 1e-12_real64, 'one dimension: ' // plan%text())
    end do
  end subroutine

  ! Elements are their own indices.
  subroutine ghost_cells()
    type(pfft3d_redist) :: redist, halo
    integer, allocatable :: x(:, :), y(:, :), z(:, :)
    integer :: x1, x2, y1, y2, a, b, stat
    character(200) :: line
    call part(7, x1, x2)
    call part(9, y1, y2)
    line = ''
    allocate (x(7, y1:y2), y(x1:x2, 9), z(-1:8, y1 - 2:y2 + 1))
    x = reshape([((a + 100 * b, a=1, 7), b=y1, y2)], shape(x))
    y = 0
    call redist%create(world, [7, 9], [1, y1], [7, y2], [x1, 1], [x2, 9], storage_size(x) / 8)
    call redist%execute(pfft3d_forward, x, y)
    call expect(all(y == reshape([((a + 100 * b, a=x1, x2), b=1, 9)], shape(y))), 'redistribution')
    x = 0
    call redist%execute(pfft3d_backward, y, x)
    call expect(all(x == reshape([((a + 100 * b, a=1, 7), b=y1, y2)], shape(x))), 'redistribution back')
    call redist%create(world, [7, 9], [1, 1], [7, 9], [x1, 1], [x2, 9], 4, stat=stat, errmsg=line)
    call expect(stat == merge(pfft3d_ok, pfft3d_err_usage, ranks == 1), 'boxes that overlap: ' // trim(line))

    call unlike_axes()

    ! Two below and one above along the second axis, periodic; two and one along the first, which ends.
    z = -1
    z(1:7, y1:y2) = x
    call halo%create_halo(world, [7, 9], [1, y1], [7, y2], [2, 2], [1, 1], [.false., .true.], 4)
    call halo%execute_in_place(pfft3d_forward, z)
    do b = y1 - 2, y2 + 1
      do a = -1, 8
        call expect(z(a, b) == merge(a + 100 * (modulo(b - 1, 9) + 1), -1, a >= 1 .and. a <= 7), 'ghost cell')
      end do
    end do
  end subroutine

  ! Arguments with fewer axes than the array has are an error on all ranks, where the last one has them.
  subroutine unlike_axes()
    type(pfft3d_redist) :: redist
    character(200) :: line
    integer, parameter :: n(2) = [7, 9], lo(2) = 1
    integer :: k, m(5), hi(2), stat
    hi = merge(n, 0, rank == ranks - 1)
    do k = 1, 5
      m = 2
      if (rank == ranks - 1) m(k) = 1
      line = ''
      if (k < 3) call redist%create(world, n, lo(:m(1)), hi, lo, hi(:m(2)), 4, stat=stat, errmsg=line)
      if (k >= 3) call redist%create_halo(world, n, lo, hi, lo(:m(3)), lo(:m(4)), spread(.true., 1, m(5)), 4, &
        stat=stat, errmsg=line)
      call expect(stat == pfft3d_err_usage, 'fewer axes: ' // trim(line))
      if (rank == ranks - 1) call expect(index(line, 'has 1 values for 2 axes') > 0, 'words: ' // trim(line))
    end do
    call redist%create(world, n, lo, hi, lo, hi, 4, repeat('x', 50), stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'xxx') > 0, 'a long name: ' // trim(line))
  end subroutine

  ! The fastest candidate comes back from a file of wisdom; counters of executions; who decided.
  subroutine tuning()
    type(pfft3d_request) :: request
    type(pfft3d_candidate), allocatable :: list(:)
    type(pfft3d_wisdom) :: wisdom, again
    type(pfft3d_plan) :: plan
    type(pfft3d_stats) :: stats
    complex(real64), pointer :: u(:, :, :)
    character(100) :: file
    character(300) :: line
    character(:), allocatable :: found
    integer :: stat, i
    call request%parse('c2c:d:6x5x4 decomp=slab engine=simd')
    call request%candidates(ranks, list)
    call expect(size(list) >= 1 .and. all([(index(list(i)%decision, 'engine=simd') > 0, i=1, size(list))]), 'candidates')
    call expect(all(list(2:)%predicted >= list(:size(list) - 1)%predicted) .and. all(list%measured <= 0), 'by the model')
    call request%candidates(0, list, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, '0 ranks') > 0, 'candidates for no ranks')

    call request%wisdom(wisdom, required=.true.)
    call plan%create(world, request, stat, line)
    call expect(stat == pfft3d_err_wisdom, 'wisdom that is required: ' // trim(line))
    call request%tune(world, list, repeats=2, budget=0.2_real64, wisdom=wisdom)
    call expect(list(1)%measured > 0 .and. list(1)%repeats > 0, 'tune')
    call expect(wisdom%count() == 1, 'tune adds to wisdom')
    call plan%create(world, request)
    line = plan%text()
    call expect(index(line, list(1)%decision) > 0, 'the fastest: ' // trim(line) // ', not ' // list(1)%decision)
    call expect(plan%decided_by() == 'wisdom', 'decided by ' // plan%decided_by())

    write (file, '(a, i0)') 'wisdom_of_test_module', ranks
    call remove(file)
    call wisdom%write(world, file)
    call again%read(world, 'no/such/file')
    call expect(again%count() == 0, 'a file that is missing')
    found = again%line(1)
    call expect(found == '', 'an entry of none')
    call again%read(world, file)
    found = again%line(1)
    call expect(again%count() == 1, 'read wisdom')
    call remove(file)
    call expect(found == wisdom%line(1), 'an entry: ' // found)
    call expect(index(found, 'c2c:d:6x5x4') > 0, 'what an entry is for: ' // found)
    call wisdom%write(world, 'no/such/folder', stat, line)
    call expect(stat == pfft3d_err_output .and. line /= '', 'wisdom in no folder: ' // trim(line))
    found = again%line(2)
    call expect(found == '', 'past the last entry')
    call expect(wisdom%notice() == '', 'nothing to report')

    call plan%array(u, pfft3d_space)
    u = 1
    do i = 1, 3
      call plan%execute(pfft3d_forward, u)
    end do
    call plan%stats(pfft3d_forward, stats, reset=.true.)
    call expect(stats%executions == 3 .and. stats%total > 0 .and. size(stats%stages) >= 1 .and. &
      stats%exchanges >= merge(1, 0, ranks > 1), 'statistics')
    line = ''
    do i = 1, size(stats%stages)
      line = trim(line) // stats%stages(i)%axes
    end do
    call expect(all([index(line, '1'), index(line, '2'), index(line, '3')] > 0) .and. &
      scan(line, '0456789') == 0 .and. index(line, '3') > index(line, '1'), 'axes of stages: ' // trim(line))
    call plan%stats(pfft3d_forward, stats)
    call expect(stats%executions == 0, 'counters start again')
    call plan%stats(7, stats, stat=stat)
    call expect(stat == pfft3d_err_usage .and. size(stats%stages) == 0, 'statistics of no direction')
    call plan%create(world, 'c2c:d:6x5x4')
    call expect(plan%decided_by() == 'model', 'decided by ' // plan%decided_by())
  end subroutine

  ! Collective: no such file.
  subroutine remove(file)
    character(*), intent(in) :: file
    integer :: unit, ierr
    call MPI_Barrier(world, ierr)
    if (rank == 0) then
      open (newunit=unit, file=file)
      close (unit, status='delete')
    end if
    call MPI_Barrier(world, ierr)
  end subroutine

  subroutine errors()
    type(pfft3d_plan) :: plan, none
    type(pfft3d_request) :: request
    complex(real64), pointer :: u(:, :, :)
    complex(real32), pointer :: single(:, :, :)
    complex(real64), pointer :: flat(:, :)
    complex(real64), allocatable :: short(:)
    real(real64), allocatable :: numbers(:, :, :)
    integer :: stat, lo(3), hi(3)
    character(200) :: line

    line = 'as before'
    call plan%create(world, 'c2c:d:4x4x4 engine=simd', stat=stat, errmsg=line)
    call expect(stat == pfft3d_ok .and. line == 'as before', 'stat of no error')
    call plan%create(world, 'c2c:d:4x4x4 engin=simd', stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'engin') > 0, 'unknown key: ' // trim(line))
    call plan%create(world, 'c2c:d:4x4x4 engine=sim', stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'simd') > 0, 'unknown value: ' // trim(line))
    call plan%create(world, merge('c2c:d:4x4x4', 'c2c:d:4x4:4', rank > 0), stat=stat)
    call expect(stat == pfft3d_err_usage, 'a text that one rank cannot read')
    call plan%create(world, request, stat, line)
    call expect(stat == pfft3d_err_usage, 'a request without a problem')
    call request%set('size', 'large', stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'large') > 0, 'value of a key: ' // trim(line))
    allocate (short(10), numbers(8, 8, 8))
    call none%execute(pfft3d_forward, short, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'not made') > 0, 'no plan')
    call none%array(u, pfft3d_space, stat=stat)
    call expect(stat == pfft3d_err_usage .and. .not. associated(u), 'array of no plan')

    call plan%create(world, 'c2c:d:16x8x8 decomp=slab')
    call plan%array(u, 7, stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'side') > 0, 'side')
    call plan%array(single, pfft3d_space, stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'complex(real32)') > 0, 'precision: ' // trim(line))
    call plan%array(flat, pfft3d_space, stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, '2 axes') > 0, 'rank of a pointer: ' // trim(line))
    call plan%array(u, pfft3d_space, field=2, stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'field 2') > 0, 'field: ' // trim(line))
    call plan%array(u, pfft3d_space)
    u = 0
    call plan%execute(pfft3d_forward, short, u, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'input is too short') > 0, 'short: ' // trim(line))
    call plan%execute(pfft3d_forward, u, numbers, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'output is real(real64)') > 0, 'type: ' // trim(line))
    call plan%execute(pfft3d_forward, u(::2, :, :), u, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'contiguous') > 0, 'section: ' // trim(line))
    call plan%execute(5, u, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'a direction is') > 0, 'direction: ' // trim(line))
    call plan%execute(7, numbers, u, stat, line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'a direction is') > 0, 'direction and type: ' // trim(line))
    call plan%create(world, 'size=4x4', size=[8, 6], stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'size=') > 0, 'two sizes: ' // trim(line))
    call plan%create(world, 'c2c:d:6x8x1', size=[8, 6], stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. index(line, 'size=') > 0, 'two numbers of axes: ' // trim(line))
    call plan%create(world, 'r2c:d:6x8', size=[8, 6], stat=stat, errmsg=line)
    call expect(stat == pfft3d_ok, 'the same size twice: ' // trim(line))
    if (rank == 0) call plan%create(world, 'type=r2c', size=[8, 6], stat=stat)
    if (rank > 0) call plan%create(world, 'size=4x4', size=[8, 6], stat=stat)
    call expect(stat == merge(pfft3d_err_usage, pfft3d_ok, ranks > 1), 'two sizes on some ranks')
    call plan%box(pfft3d_space, lo, hi, rank=ranks, stat=stat, errmsg=line)
    call expect(stat == pfft3d_err_usage .and. all(hi < lo), 'rank of a box')
  end subroutine

  ! Plans end with their scope, or are made anew; any communicator; integers as handles.
  subroutine lifetimes()
    type(pfft3d_plan) :: plan
#ifndef PFFT3D_NO_MPI_F08
    type(MPI_Comm) :: half
#else
    integer :: half
#endif
    integer :: i, lo(3), hi(3), ierr, stat
    call MPI_Comm_split(world, mod(rank, 2), -rank, half, ierr)
    do i = 1, 20
#ifdef PFFT3D_NO_MPI_F08
      call plan%create(half, 'r2c:d:4x4x4')
#else
      call plan%create(half%mpi_val, 'r2c:d:4x4x4')
#endif
      call scoped()
    end do
    call plan%box(pfft3d_space, lo, hi)
    call expect(lo(1) == 1 .and. hi(1) == 4, 'a plan of half of the ranks')
    call plan%destroy()
    call plan%destroy()
    call plan%box(pfft3d_space, lo, hi, stat=stat)
    call expect(stat == pfft3d_err_usage, 'a plan that has ended')
    call MPI_Comm_free(half, ierr)
  end subroutine

  subroutine scoped()
    type(pfft3d_plan) :: plan
    complex(real32), pointer :: u(:, :, :)
    call plan%create(world, 'c2c:s:4x4x4')
    call plan%array(u, pfft3d_space)
    u = 1
    call plan%execute(pfft3d_forward, u)
    if (rank == 0) call expect(abs(u(1, 1, 1) - 64) <= 0, 'a plan of a scope')
  end subroutine
end program
