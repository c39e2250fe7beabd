/* SPDX-License-Identifier: BSD-3-Clause
 * A filter as HDF5 loads it from a folder of plugins: code of somebody else's.  It says that it has
 * been loaded. */
#include <H5PLextern.h>
#include <hdf5.h>
#include <stdlib.h>

static size_t same(unsigned flags, size_t count, const unsigned values[], size_t bytes,
                   size_t *size, void **data) {
  (void)flags, (void)count, (void)values, (void)size, (void)data;
  return bytes;
}

H5PL_type_t H5PLget_plugin_type(void) {
  return H5PL_TYPE_FILTER;
}

const void *H5PLget_plugin_info(void) {
  static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 299, 1, 1, "rare", NULL, NULL, same};
  setenv("PFFT3D_TEST_PLUGIN", "loaded", 1);
  return &filter;
}
