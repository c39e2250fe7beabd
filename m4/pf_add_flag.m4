dnl SPDX-License-Identifier: BSD-3-Clause
dnl PF_ADD_FLAG(VARIABLE, FLAG): add FLAG where the compiler and linker take it without a word.
AC_DEFUN([PF_ADD_FLAG],
[AC_MSG_CHECKING([whether $CC accepts $2])
pf_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]], [[char a[4]; memset(a, 0, 4); return a[0];]])],
  [$1="$$1 $2"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
CFLAGS=$pf_save_CFLAGS])
