#!/usr/bin/env bash
# usage: package.sh debs BUILD OUT      makes Debian packages of a build
#        package.sh test RELEASE OUT    installs them in a clean root of a Debian release, and tries them
#        package.sh build RELEASE OUT   makes them in a root of a Debian release
#
# ./run package calls it. The roots are made by mmdebstrap, which needs no root permissions.
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
security=${DEBIAN_SECURITY_MIRROR:-http://deb.debian.org/debian-security}

# Files of a package below $stage move to its own folder.
take() {
  local package=$1 name
  shift
  for name in "$@"; do
    mkdir -p "$work/$package/$(dirname "$name")"
    mv "$stage/$name" "$work/$package/$name"
  done
}

# Sets depends to the packages of the shared libraries that the files of a package need.
find_libraries() {
  local package=$1 files
  mapfile -t files < <(find "$work/$package" -type f \( -path '*/bin/*' -o -name '*.so' \))
  depends=$(cd "$work" && dpkg-shlibdeps -O -l"$work/libaircc-runtime/usr/lib" "${files[@]}" 2>"$work/shlibdeps.log") || {
    cat "$work/shlibdeps.log" >&2
    exit 1
  }
  depends=${depends#shlibs:Depends=}
}

# make PACKAGE SECTION DEPENDS ARCHITECTURE SUMMARY
make() {
  local package=$1 folder=$work/$1/DEBIAN
  mkdir -p "$folder" "$work/$package/usr/share/doc/$package"
  cp "$source_dir/LICENSE" "$work/$package/usr/share/doc/$package/copyright"
  cat >"$folder/control" <<CONTROL
Package: $package
Version: $version
Architecture: $4
Maintainer: The aircc maintainers <aircc@packages.invalid>
Section: $2
Priority: optional
Installed-Size: $(du -sk "$work/$package/usr" | cut -f1)
Depends: $3
Description: $5
 aircc compiles programs in MLIR ahead of time for AMD and Intel GPUs, and for a
 simulated device.
CONTROL
  dpkg-deb --root-owner-group -Zzstd --build "$work/$package" "$out/${package}_${version}_$4.deb" >/dev/null
}

make_debs() {
  local build=$1 release architecture
  out=$(realpath -m "$2")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  stage=$work/stage
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  architecture=$(dpkg --print-architecture)
  mkdir -p "$out" "$work/debian"
  # dpkg-shlibdeps requires the first. The run path leads it to a link to LLVM's
  # library that belongs to the development package.
  echo "Source: aircc" >"$work/debian/control"
  cat /var/lib/dpkg/info/libllvm22*.shlibs >"$work/debian/shlibs.local"
  version=$("$build/bin/aircc" --version | cut -d' ' -f2)~$release
  DESTDIR=$stage cmake --install "$build" --prefix /usr >/dev/null
  strip --strip-unneeded "$stage"/usr/bin/aircc "$stage"/usr/lib/*.so
  find "$stage/usr/share/man" -name '*.1' -exec gzip -9n {} +
  mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"

  take libaircc-runtime usr/lib/libaircc_runtime.so usr/lib/libaircc_sim.so
  take libaircc-dev usr/include/aircc usr/lib/libaircc_runtime.a usr/lib/cmake/aircc usr/lib/pkgconfig
  mkdir -p "$work/python3-aircc/usr/lib/python3/dist-packages"
  mv "$stage/usr/lib/aircc/python/aircc" "$work/python3-aircc/usr/lib/python3/dist-packages/aircc"
  find "$work/python3-aircc" -name __pycache__ -prune -exec rm -r {} +
  take aircc usr/bin/aircc usr/share
  find "$stage" -type d -empty -delete
  if [ -d "$stage" ]; then
    echo "package.sh: error: no package contains these files:" >&2
    find "$stage" >&2
    exit 1
  fi

  find_libraries libaircc-runtime
  make libaircc-runtime libs "$depends" "$architecture" \
    "runtime and simulated device of programs that aircc compiled"
  make libaircc-dev libdevel "libaircc-runtime (= $version)" "$architecture" \
    "headers, static runtime and CMake package of aircc"
  find_libraries aircc
  make aircc devel "$depends, libaircc-dev (= $version), g++ | c++-compiler, rocm-device-libs-21 | rocm-device-libs-17 | rocm-device-libs" \
    "$architecture" "ahead-of-time compiler for GPU programs in MLIR"
  make python3-aircc python "aircc (= $version), python3, python3-numpy" all \
    "compile MLIR for GPUs and call it with numpy arrays"
  ls "$out"/*"$version"*.deb
}

# in_root RELEASE PACKAGES HOOK…: makes a root with packages, and runs hooks.
in_root() {
  local release=$1 packages=$2 hooks=() hook
  shift 2
  for hook in "$@"; do hooks+=(--customize-hook="$hook"); done
  mmdebstrap --quiet --variant=minbase --include="$packages" "${hooks[@]}" --format=null "$release" - \
    "deb $mirror $release main" "deb $security $release-security main"
}

try_debs() {
  local release=$1 out
  out=$(realpath "$2")
  # The tutorials, with what tries their commands.
  local archive=$out/tutorials.tar
  (cd "$source_dir" && git ls-files -z docs python run runtime-stubs samples targets test/docs cmake/smoke_test.sh |
    tar --null -T - -cf "$archive")
  in_root "$release" ca-certificates,cmake,g++,make,pkg-config \
    'mkdir -p "$1/debs" "$1/smoke"' \
    "copy-in $(echo "$out"/*~"$release"_*.deb) /debs" \
    "tar-in $archive /smoke" \
    'chroot "$1" sh -c "apt-get -qq update && apt-get -qq -y --no-install-recommends install /debs/*.deb >/dev/null"' \
    'chroot "$1" bash /smoke/cmake/smoke_test.sh'
  rm "$archive"
}

build_debs() {
  local release=$1 out packages
  out=$(realpath -m "$2")
  mkdir -p "$out"
  local archive=$out/source.tar
  (cd "$source_dir" && git ls-files -z | tar --null -T - -cf "$archive")
  in_root "$release" ca-certificates,git,dpkg-dev \
    'mkdir -p "$1/source"' "tar-in $archive /source" \
    'chroot "$1" sh -c "cd /source && ./run build aircc aircc_runtime aircc_runtime_shared aircc_sim aircc_help_files"' \
    'chroot "$1" /source/cmake/package.sh debs /source/build /debs' \
    "sync-out /debs $out"
  rm "$archive"
}

case "${1:-}" in
debs) make_debs "$2" "$3" ;;
test) try_debs "$2" "$3" ;;
build) build_debs "$2" "$3" ;;
*)
  sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 2
  ;;
esac
