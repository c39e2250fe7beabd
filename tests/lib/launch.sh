# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# All that depends on the launcher: $MPIRUN is the command with its options; $quiet the same, without
# words of the launcher beside those of the program where it can do without.
# Open MPI: more ranks than cores, several tests at once (so no binding, and waiting ranks yield),
# and no ptrace-like copies between ranks, which containers forbid.  All ranks are here: that nobody
# looks for networks takes 0.2 to 0.3 s off each start, of which there are thousands.  Windows are over
# memory that is there already (osc).  Without collectives that nobody chooses (coll), without memory that
# the launcher shares with the ranks (gds) and without plugins of hwloc, which load X11 and OpenCL, a start
# of 4 ranks takes 65 ms of processors in place of 103.
# All ranks load tests/lib/patience.c, with which those that wait sleep.
# MPICH: how a run ends is said in another way, and $HYDRA is set.
: "${srcdir:?}" "${builddir:?}" "${MPIRUN:?}"
launcher() { asked=$1 && shift && sh "$srcdir/jobs/launcher.sh" "$asked" "$MPIRUN" "$@"; }
# patient OPTION: the launcher gives the ranks that library, after those that they have
patient() { if test -f "$patience"; then MPIRUN="$MPIRUN $1${LD_PRELOAD:+$LD_PRELOAD:}$patience"; fi; }
# shellcheck disable=SC2034  # quiet is for those who source this
launch_settings() {
  quiet=$MPIRUN
  patience=$builddir/tests/lib/.libs/patience.so
  # No MPI looks for devices: OpenCL takes a while and leaves files in ~/.cache, and the lists of those of PCI
  # and of Linux take a quarter of what a start of some ranks does.
  export HWLOC_COMPONENTS="${HWLOC_COMPONENTS:--opencl,-pci,-linuxio}" HWLOC_PLUGINS_PATH="${HWLOC_PLUGINS_PATH:-/nonexistent}"
  # Threads that wait leave the core to others: they are more than the cores, too.
  export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
  case $(launcher name) in
    openmpi)
      case $MPIRUN in
        *--oversubscribe*) ;;
        *)
          patient '-x LD_PRELOAD='
          quiet="$MPIRUN --bind-to none $(launcher options many quiet)"
          MPIRUN="$MPIRUN --bind-to none $(launcher options many)"
          ;;
      esac
      # Programs that are not of this build, as Python, take this MPI without a launcher, too, as its ranks do.
      mpi_home=$(dirname "$(dirname "$(readlink -f "$(command -v "${MPIRUN%% *}")")")")
      if test -e "$mpi_home/lib/libmpi.so.40"; then export LD_LIBRARY_PATH="$mpi_home/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
      export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}" OMPI_MCA_pml="${OMPI_MCA_pml:-ob1}"
      export OMPI_MCA_coll="${OMPI_MCA_coll:-^adapt,han,monitoring,sm,sync}" PMIX_MCA_gds="${PMIX_MCA_gds:-hash}"
      case $(launcher components btl vader) in
        vader) # Open MPI 4
          export OMPI_MCA_btl_vader_single_copy_mechanism="${OMPI_MCA_btl_vader_single_copy_mechanism:-none}"
          export OMPI_MCA_osc="${OMPI_MCA_osc:-sm,pt2pt}" OMPI_MCA_btl="${OMPI_MCA_btl:-self,vader}"
          ;;
        *)
          export OMPI_MCA_smsc="${OMPI_MCA_smsc:-^cma}"
          export OMPI_MCA_osc="${OMPI_MCA_osc:-sm,rdma}" OMPI_MCA_btl="${OMPI_MCA_btl:-self,sm}"
          ;;
      esac
      ;;
    mpich)
      export HYDRA=1
      case $MPIRUN in
        *"$patience"*) ;;
        *) patient '-genv LD_PRELOAD ' ;;
      esac
      quiet=$MPIRUN
      ;;
  esac
}
