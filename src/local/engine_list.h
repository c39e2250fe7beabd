/* One line per engine; the first that supports a length is what "auto" takes.  Those of devices are
 * last. */
PF_ENGINE(simd)
#ifdef PF_HAVE_FFTW
PF_ENGINE(fftw)
#endif
PF_ENGINE(naive)
PF_ENGINE(stockham4)
PF_ENGINE(recursive)
#ifdef PF_HAVE_OPENCL
PF_ENGINE(opencl)
#endif
