dnl SPDX-License-Identifier: BSD-3-Clause
dnl PF_LINK_MPI(PROGRAM, ONE, NONE, TWO): ONE when the program links and loads one MPI, NONE when it
dnl does not link, TWO when it would load two: when it and the shared libraries that the linker reads
dnl need several.  The tools are those for the machine of the program, which ldd is not.
AC_DEFUN([PF_LINK_MPI],
[AC_LINK_IFELSE([$1],
  [pf_files=`$CC -o conftest$ac_exeext $CFLAGS $CPPFLAGS $LDFLAGS -Wl,-t conftest.$ac_ext $LIBS 2>&1 |
     $GREP '\.so' | tr '()' '  '`
   pf_count=`for pf_file in conftest$ac_exeext $pf_files; do $OBJDUMP -p "$pf_file" 2>/dev/null; done |
     $SED -n 's/^ *NEEDED *\(libmpi\(ch\)*\.so\)/\1/p' | sort -u | wc -l`
   AS_IF([test "$pf_count" -gt 1], [$4], [$2])],
  [$3])])
