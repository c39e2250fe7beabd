/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pfft3d for C++17: objects that free themselves, arrays with types, exceptions.  A header over the
 * C library, with nothing to link beside it.
 *
 *     pfft3d::plan plan(MPI_COMM_WORLD, "r2c:d:64x64x64");
 *     auto u = plan.alloc<double>(pfft3d::space);
 *     auto v = plan.alloc<std::complex<double>>(pfft3d::spectrum);
 *     std::fill(u.begin(), u.end(), 1);
 *     plan.forward(u, v);
 *
 * What is collective in <pfft3d.h> is collective here, destructors of plans and redistributions
 * included: objects end in the same order on all ranks, and before MPI_Finalize.  So an exception
 * that unwinds one rank alone may leave others waiting; those of functions with a communicator are
 * the same on all ranks.  handle() gives the object for functions of the C library.
 */
#ifndef PFFT3D_HPP
#define PFFT3D_HPP

#include <pfft3d.h>
#include <pfft3d_redist.h>
#include <pfft3d_tune.h>

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace pfft3d {

constexpr pfft3d_side space = PFFT3D_SPACE, spectrum = PFFT3D_SPECTRUM;
using box = pfft3d_box;

/** What went wrong: what() is one line "what: why", status() a pfft3d_status, hint() one line of
 *  advice or empty. */
class error : public std::runtime_error {
 public:
  error(int status, const std::string &text, std::string hint = "")
      : std::runtime_error(text), status_(status), hint_(std::move(hint)) {}
  int status() const noexcept { return status_; }
  const std::string &hint() const noexcept { return hint_; }

 private:
  int status_;
  std::string hint_;
};

namespace detail {

/** Calls a function whose last argument is a pfft3d_error, and throws what it returns. */
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
  pfft3d_error e{};
  const int status = function(arguments..., &e);
  if (status) throw error(status, *e.text ? e.text : pfft3d_status_name(status), e.hint);
}

inline void check(int status, const char *what) {
  if (status) throw error(status, std::string(what) + ": " + pfft3d_status_name(status));
}

/** A text; there is none of an object that was moved from. */
inline std::string words(const char *text, const char *what) {
  if (!text) throw error(PFFT3D_ERR_USAGE, std::string(what) + ": is NULL");
  return text;
}

/** Whether a T is an element of numbers of one precision. */
template <class T, class Number>
constexpr bool is_element(bool real) {
  return real ? std::is_same_v<T, Number> : std::is_same_v<T, std::complex<Number>>;
}

/** Owns an object of the library. */
template <class T, void (*destroy)(T **)>
struct destroyer {
  void operator()(T *object) const noexcept { destroy(&object); }
};
template <class T, void (*destroy)(T **)>
using owner = std::unique_ptr<T, destroyer<T, destroy>>;

}  // namespace detail

/** A view of neighbouring elements that others own. */
template <class T>
class span {
 public:
  span() = default;
  span(T *data, std::size_t size) : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
  span(C &container) : data_(container.data()), size_(container.size()) {}  // vector, array, span
  T *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  T *begin() const noexcept { return data_; }
  T *end() const noexcept { return data_ + size_; }
  T &operator[](std::ptrdiff_t i) const { return data_[i]; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/** A pfft3d_request.  Local. */
class request {
 public:
  /** Reads "r2c:d:64x64x64 order=transposed threads=2": a problem and keys. */
  explicit request(const std::string &text) {
    pfft3d_request *made = nullptr;
    detail::call(pfft3d_request_create, &made);
    own_.reset(made);
    detail::call(pfft3d_request_parse, made, text.c_str());
  }
  request &set(const std::string &key, const std::string &value) {
    detail::call(pfft3d_request_set, handle(), key.c_str(), value.c_str());
    return *this;
  }
  request &scale(double forward, double backward) {
    detail::call(pfft3d_request_scales, handle(), forward, backward);
    return *this;
  }
  request &set_box(pfft3d_side side, const box &b) {
    detail::call(pfft3d_request_box, handle(), side, &b);
    return *this;
  }
  std::string text() const {
    std::array<char, 4096> out{};
    return detail::words(pfft3d_request_print(handle(), out.data(), out.size()), "request");
  }
  pfft3d_request *handle() const noexcept { return own_.get(); }

 private:
  detail::owner<pfft3d_request, pfft3d_request_destroy> own_;
};

/** A pfft3d_plan.  Elements are double, float, or std::complex of them; a type that is not that of
 *  the side is an error on this rank, as an array that is too short; where the rank has no
 * elements, an array may be empty. */
class plan {
 public:
  /** Collective on comm. */
  plan(MPI_Comm comm, const request &r) {
    pfft3d_plan *made = nullptr;
    detail::call(pfft3d_plan_create, comm, static_cast<const pfft3d_request *>(r.handle()), &made);
    start(comm, made);
  }
  plan(MPI_Comm comm, const std::string &words) {
    pfft3d_plan *made = nullptr;
    detail::call(pfft3d_plan_create_text, comm, words.c_str(), &made);
    start(comm, made);
  }

  /** Local.  What a rank holds of a side. */
  box local(pfft3d_side side) const { return local(side, rank_); }
  box local(pfft3d_side side, int rank) const {
    box b;
    detail::check(pfft3d_plan_box(handle(), side, rank, &b), "box");
    return b;
  }
  std::array<std::ptrdiff_t, 3> extents(pfft3d_side side) const {
    std::array<std::ptrdiff_t, 3> n{};
    detail::check(pfft3d_plan_extents(handle(), side, n.data()), "extents");
    return n;
  }
  std::size_t elements(pfft3d_side side) const { return pfft3d_plan_elements(handle(), side); }
  /** Local.  Whether arrays of a side have elements of type T. */
  template <class T>
  bool holds(pfft3d_side side) const noexcept {
    const bool real =
        pfft3d_element_bytes(&problem_, side) == pfft3d_element_bytes(&problem_, space) &&
        problem_.kind == PFFT3D_R2C;
    return problem_.precision == PFFT3D_DOUBLE ? detail::is_element<T, double>(real)
                                               : detail::is_element<T, float>(real);
  }
  std::string text() const {
    std::array<char, 4096> out{};
    return detail::words(pfft3d_plan_print(handle(), out.data(), out.size()), "plan");
  }

  /** Collective.  An array of the plan, which lives as long: for one side, or both in place, with
   *  its memory seen as elements of the side. */
  template <class T>
  span<T> alloc(pfft3d_side side) {
    expect<T>(side, elements(side), "alloc");
    void *array = nullptr;
    detail::call(pfft3d_alloc, handle(), &array);
    return {static_cast<T *>(array), elements(side)};
  }

  /** Collective.  Spans, vectors, or what else has data() and size(). */
  template <class In, class Out>
  void forward(const In &in, Out &&out) {
    run(PFFT3D_FORWARD, in, out);
  }
  template <class In, class Out>
  void backward(const In &in, Out &&out) {
    run(PFFT3D_BACKWARD, in, out);
  }
  /** Collective.  The backward transform of a spectrum times a multiplier, one vector for each
   *  axis, leading ones included. */
  template <class In, class Out>
  void backward(const In &in, Out &&out, const std::array<std::vector<double>, 3> &multiplier) {
    const auto n = extents(spectrum);
    for (std::size_t a = 0; a < 3; a++)
      if (multiplier[a].size() != static_cast<std::size_t>(n[a]))
        throw error(PFFT3D_ERR_USAGE, "multiplier: a vector has not the length of its axis");
    const double *m[3] = {multiplier[0].data(), multiplier[1].data(), multiplier[2].data()};
    arrays(PFFT3D_BACKWARD, in, out);
    detail::check(pfft3d_execute_multiplier(handle(), m, in.data(), out.data()), "execute");
  }
  /** Collective.  The same without types, also in place. */
  void execute(pfft3d_direction direction, const void *in, void *out) {
    detail::check(pfft3d_execute(handle(), direction, in, out), "execute");
  }
  pfft3d_plan *handle() const noexcept { return own_.get(); }

 private:
  void start(MPI_Comm comm, pfft3d_plan *made) {
    own_.reset(made);
    detail::check(pfft3d_plan_problem(made, &problem_), "problem");
    MPI_Comm_rank(comm, &rank_);
  }
  template <class T>
  void expect(pfft3d_side side, std::size_t size, const char *what) const {
    if (!holds<std::remove_cv_t<T>>(side))
      throw error(PFFT3D_ERR_USAGE, std::string(what) + ": not the type of elements of this side");
    if (size < elements(side) && (size > 0 || !nothing(side)))
      throw error(PFFT3D_ERR_USAGE, std::string(what) + ": " + std::to_string(size) +
                                        " elements, the plan needs " +
                                        std::to_string(elements(side)));
  }
  /** Whether this rank holds none of a side; elements() is then 1, for what can be allocated. */
  bool nothing(pfft3d_side side) const {
    const box b = local(side);
    return !b.len[0] || !b.len[1] || !b.len[2];
  }
  template <class In, class Out>
  void arrays(pfft3d_direction direction, const In &in, const Out &out) const {
    const bool forwards = direction == PFFT3D_FORWARD;
    expect<std::remove_pointer_t<decltype(in.data())>>(forwards ? space : spectrum, in.size(),
                                                       "in");
    expect<std::remove_pointer_t<decltype(out.data())>>(forwards ? spectrum : space, out.size(),
                                                        "out");
  }
  template <class In, class Out>
  void run(pfft3d_direction direction, const In &in, Out &out) {
    arrays(direction, in, out);
    execute(direction, in.data(), out.data());
  }

  detail::owner<pfft3d_plan, pfft3d_plan_destroy> own_;
  pfft3d_problem problem_{};
  int rank_ = 0;
};

/** A pfft3d_redist: a redistribution, a transposition, or ghost cells. */
class redistribution {
 public:
  /** Collective on comm. */
  redistribution(MPI_Comm comm, const pfft3d_redist_spec &s) {
    make(pfft3d_redist_create, comm, s);
  }
  redistribution(MPI_Comm comm, const pfft3d_transpose_spec &s) {
    make(pfft3d_transpose_create, comm, s);
  }
  redistribution(MPI_Comm comm, const pfft3d_halo_spec &s) { make(pfft3d_halo_create, comm, s); }

  /** Collective. */
  void forward(const void *in, void *out) { run(PFFT3D_FORWARD, in, out); }
  void backward(const void *in, void *out) { run(PFFT3D_BACKWARD, in, out); }
  pfft3d_redist *handle() const noexcept { return own_.get(); }

 private:
  template <class Function, class Spec>
  void make(Function create, MPI_Comm comm, const Spec &s) {
    pfft3d_redist *made = nullptr;
    detail::call(create, comm, &s, &made);
    own_.reset(made);
  }
  void run(pfft3d_direction direction, const void *in, void *out) {
    detail::check(pfft3d_redist_execute(handle(), direction, in, out), "redistribution");
  }
  detail::owner<pfft3d_redist, pfft3d_redist_destroy> own_;
};

}  // namespace pfft3d
#endif
