#!/usr/bin/env bash
# Makes the archive and wheels that run with glibc 2.28 and newer (Red Hat 8 and 9, Ubuntu 20.04, and all later), on Debian 12 for x86-64.
#
#   scripts/old_glibc.sh [--output FOLDER]                    the archive of scripts/bundle.sh; FOLDER: build/bundle
#   scripts/old_glibc.sh --wheel [--output FOLDER] PYTHON...  wheels as scripts/wheel.sh makes them; FOLDER: build/wheel
#   scripts/old_glibc.sh --root                               only compiler and libraries, in build/old-glibc-root
#
# The compiler is that of Debian 12, with the headers of an older glibc and stubs of its libraries (scripts/glibc_symbols.py). libstdc++ and
# all other libraries are compiled for it from Debian's sources, in the versions of Debian 12 so that compressed output has the same
# bytes, and linked statically. Only upstream's files are taken, with the sums below, without Debian's patches. That takes half an hour on two
# cores, once. BASESWEEP_CUDA=ON puts the GPU's code in.
#
# At the end it is checked that nothing newer than glibc 2.28 is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "old_glibc: $*" >&2; exit 1; }

glibc=2.28
older=bullseye  # Debian with glibc 2.31, whose stubs are made for 2.28: no Debian with 2.28 is on the mirrors any more
root="$PWD/build/old-glibc-root"
# Without -B the compiler takes what it starts programs with, and libraries, from this machine first.
in_root=("--sysroot=$root" "-B$root/gcc/lib" "-B$root/usr/lib/x86_64-linux-gnu" "-B$root/usr/lib")

kind=archive output='' pythons=()
while [ $# -gt 0 ]; do
  case "$1" in
    --wheel) kind=wheel; shift ;;
    --root) kind=root; shift ;;
    --output) output="${2:?--output needs a folder}"; shift 2 ;;
    -*) sed -n '4,6s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
    *) pythons+=("$1"); shift ;;
  esac
done
[ "$kind" = wheel ] || [ "${#pythons[@]}" -eq 0 ] || die "Pythons are for --wheel"
[ "$(uname -m)" = x86_64 ] || die "only for x86-64"
[ "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" = bookworm ] || die "only on Debian 12"

scripts/setup.sh mmdebstrap nasm autoconf automake libtool patchelf dpkg-dev

# source package of Debian 12, upstream's archive, and its sum
sources() {
  cat <<'LIST'
zlib zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
libdeflate libdeflate_1.14.orig.tar.gz 89e7df898c37c3427b0f39aadcf733731321a278771d20fc553f92da8d4808ac
bzip2 bzip2_1.0.8.orig.tar.gz ab5a03176ee106d3f0fa90e381da478ddae405918153cca248e682cd0c4a2269
xz-utils xz-utils_5.4.1.orig.tar.xz 5d9827aa1875b21c288f78864bb26d2650b436ea8d2cad364e4921eb6266a5a5
libzstd libzstd_1.5.4+dfsg2.orig.tar.xz 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
htscodecs htscodecs_1.3.0.orig.tar.gz 696c0affbfa7e59276e0dfc71dcba2f04b0a6db12998f30f1baf2fc21e9113f4
htslib htslib_1.16+ds.orig.tar.bz2 2d10941e47cf0c05d1496e73e2beaef39e7584eb326367476b12cad04e7794be
libisal libisal_2.30.0.orig.tar.xz f363f1be3d657d5676cef5253ee2233e60116e2fa9c9de86881185bf81e0e4b8
onetbb onetbb_2021.8.0.orig.tar.xz 7e9111b8bb59c8800bf6d0b06afe7b0891937443d2dae1ee1101c8e2ede6a7ef
fmtlib fmtlib_9.1.0+ds1.orig.tar.gz 84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583
LIST
}

# Runs apt-get with lists of its own, which have sources too, from the repository that this machine's apt uses.
private_apt() {
  apt-get -qq -o Dir::Etc::SourceList="$work/apt/list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/apt/lists" \
    -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root "$@"
}

# Puts upstream's archives and GCC's sources into the folder $1.
fetch() {
  local site package file sum uri
  # shellcheck disable=SC2016  # $(SITE) is for apt
  site="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Codename: bookworm' | sed -n 1p)"
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$1"
  printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm main\n' deb "$site" deb-src "$site" >"$work/apt/list"
  private_apt update
  (cd "$1" && private_apt download "gcc-$version-source")
  sources | while read -r package file sum; do
    uri="$(private_apt source --print-uris "$package" 2>/dev/null | sed -n "s/^'\([^']*\)' ${file//./\\.} .*/\1/p")"
    [ -n "$uri" ] || die "$file is not the source of $package in Debian 12"
    /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "$uri" "$1/$file" "SHA256:$sum"
  done
}

# Headers and stubs of the older glibc, and what unwinds the stack: libgcc_eh.a of a newer GCC needs a newer glibc.
make_glibc() {
  local options name
  mapfile -t options < <(apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy )' | sed 's/^/--aptopt=/')
  mmdebstrap --quiet --variant=extract "${options[@]}" --include=libc6-dev,libgcc-10-dev "$older" "$work/glibc.tar"
  mkdir -p "$work/glibc"
  tar -C "$work/glibc" --no-same-owner -xf "$work/glibc.tar" ./usr/include ./usr/lib ./lib ./lib64
  mkdir -p "$root/usr" "$root/lib/x86_64-linux-gnu" "$root/lib64" "$root/gcc/lib"
  cp -r "$work/glibc/usr/include" "$root/usr/"
  mkdir -p "$root/usr/lib/x86_64-linux-gnu"
  for name in crt1.o Scrt1.o crti.o crtn.o libc.so libm.so libpthread.so libdl.so librt.so libutil.so libresolv.so libc_nonshared.a; do
    cp -d "$work/glibc/usr/lib/x86_64-linux-gnu/$name" "$root/usr/lib/x86_64-linux-gnu/"
  done
  for name in libc.so.6 libm.so.6 libmvec.so.1 libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 libresolv.so.2 ld-linux-x86-64.so.2; do
    cp -L "$work/glibc/lib/x86_64-linux-gnu/$name" "$root/lib/x86_64-linux-gnu/"
    scripts/glibc_symbols.py stub "$glibc" "$root/lib/x86_64-linux-gnu/$name"
  done
  ln -s ../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$root/lib64/"
  # libdl.so is a link to /lib/x86_64-linux-gnu/libdl.so.2, and would leave the folder
  find "$root/usr/lib" -lname '/*' | while read -r name; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$name")" "$root$(readlink "$name")")" "$name"
  done
  cp "$work/glibc/usr/lib/gcc/x86_64-linux-gnu/10/libgcc_eh.a" "$root/gcc/lib/"
}

# libstdc++ of this compiler, as Debian has it: with the changes of its branch since the release.
make_libstdcxx() {
  local source="$work/gcc" packed="$work/gcc-source/usr/src/gcc-$version"
  mkdir -p "$source" "$work/gcc-source" "$work/libstdcxx"
  dpkg-deb --fsys-tarfile "$work/sources/gcc-$version-source"_*.deb | tar -C "$work/gcc-source" -xf -
  tar -C "$source" --strip-components=1 --exclude='*/gcc/testsuite' --exclude='*/libgo' --exclude='*/libphobos' -xf "$packed"/gcc-"$version".*-dfsg.tar.xz
  awk '/^--- (a\/src\/|\/dev\/null)/ {
         old = $0
         getline
         keep = (old $0) ~ / [ab]\/src\/libstdc\+\+-v3\// && (old $0) !~ /testsuite/
         if (keep) print old
       }
       keep' "$packed/patches/git-updates.diff" >"$work/updates.diff"
  patch -d "$source" -p2 -s <"$work/updates.diff"
  patch -d "$source" -p2 -s <"$packed/patches/cuda-float128.diff"
  ln -s gthr-posix.h "$source/libgcc/gthr-default.h"  # libgcc is not built, which would make it
  (
    cd "$work/libstdcxx"
    # the headers are of glibc 2.31, which has these functions
    export glibcxx_cv_PTHREAD_COND_CLOCKWAIT=no glibcxx_cv_PTHREAD_MUTEX_CLOCKLOCK=no glibcxx_cv_PTHREAD_RWLOCK_CLOCKLOCK=no
    "$source/libstdc++-v3/configure" --quiet --build=x86_64-linux-gnu --prefix="$root/gcc" --with-gxx-include-dir="$root/gcc/include/c++" \
      CC="$launcher gcc ${in_root[*]}" CXX="$launcher g++ ${in_root[*]}" CFLAGS="-O2 -fPIC" CXXFLAGS="-O2 -fPIC" \
      --disable-multilib --disable-nls --disable-shared --disable-libstdcxx-pch --enable-clocale=gnu --enable-libstdcxx-time=yes \
      --enable-libstdcxx-filesystem-ts=no --with-default-libstdcxx-abi=new
    make -s -j"$jobs"
    make -s install
  )
}

make_compilers() {
  local cxx="$root/gcc/include/c++"
  mkdir -p "$root/bin"
  cat >"$root/bin/gcc" <<TEXT
#!/bin/sh
exec gcc ${in_root[*]} -static-libgcc "\$@"
TEXT
  cat >"$root/bin/g++" <<TEXT
#!/bin/sh
exec g++ ${in_root[*]} -nostdinc++ -isystem $cxx -isystem $cxx/x86_64-linux-gnu -isystem $cxx/backward -static-libstdc++ -static-libgcc "\$@"
TEXT
  chmod +x "$root/bin/gcc" "$root/bin/g++"
}

# Unpacks the archive of a source package into $work/PACKAGE and goes there.
enter() {
  mkdir -p "$work/$1"
  tar -C "$work/$1" --strip-components=1 -xf "$work/sources/$1"_*.orig.tar.*
  cd "$work/$1"
}

with_cmake() {
  cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$root/bin/gcc" -DCMAKE_CXX_COMPILER="$root/bin/g++" \
    -DCMAKE_INSTALL_PREFIX="$root/usr" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@"
  cmake --build build --parallel "$jobs"
  cmake --install build
}

make_libraries() {
  local usr="$root/usr" package
  export CC="$launcher $root/bin/gcc" CFLAGS="-O2 -fPIC"
  export PKG_CONFIG_LIBDIR="$usr/lib/pkgconfig"
  (enter zlib && ./configure --static --prefix="$usr" && make -j"$jobs" install)
  (enter libdeflate && make -j"$jobs" PREFIX="$usr" CC="$CC" libdeflate.a && install -m 644 libdeflate.a "$usr/lib/" && install -m 644 libdeflate.h "$usr/include/")
  (enter bzip2 && make -j"$jobs" CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" libbz2.a && install -m 644 libbz2.a "$usr/lib/" && install -m 644 bzlib.h "$usr/include/")
  (enter xz-utils && ./configure --quiet --prefix="$usr" --disable-shared --disable-nls --disable-doc --disable-scripts --disable-xz --disable-xzdec \
    --disable-lzmadec --disable-lzmainfo && make -s -j"$jobs" install)
  (enter libzstd && make -C lib -j"$jobs" PREFIX="$usr" libzstd.a && make -C lib PREFIX="$usr" install-static install-includes install-pc)
  # libcurl's headers are those of this machine: HTSlib uses nothing new of it
  mkdir -p "$work/curl"
  cp -r "$(pkg-config --variable=includedir libcurl 2>/dev/null || echo /usr/include/x86_64-linux-gnu)/curl" "$work/curl/"
  "$root/bin/gcc" -O2 -fPIC -c cmake/old_glibc/curl.c -o "$work/curl/curl.o"
  ar rcs "$usr/lib/libcurl.a" "$work/curl/curl.o"
  (
    (enter htscodecs)
    enter htslib
    cp -r "$work/htscodecs" .
    echo '#define HTSCODECS_VERSION_TEXT "1.3.0"' >htscodecs/htscodecs/version.h
    autoreconf -i
    ./configure --quiet --prefix="$usr" --enable-libcurl --enable-gcs --disable-s3 --disable-plugins --with-libdeflate \
      CPPFLAGS="-DSAMTOOLS=1 -I$work/curl" CFLAGS="$CFLAGS" LIBS=-ldl
    make -s -j"$jobs" lib-static install-pkgconfig
    install -D -m 644 -t "$usr/include/htslib" htslib/*.h
    install -m 644 libhts.a "$usr/lib/"
    # shellcheck disable=SC2016  # ${libdir} is for pkg-config
    sed -i 's/^Libs:.*/Libs: -L${libdir} -lhts -lcurl -ldeflate -llzma -lbz2 -lz -ldl/' "$usr/lib/pkgconfig/htslib.pc"
  )
  (enter libisal && autoreconf -i && ./configure --quiet --prefix="$usr" --disable-shared --with-pic && make -s -j"$jobs" && make -s install)
  (enter onetbb && with_cmake -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF -DTBB_STRICT=OFF)
  (enter fmtlib && with_cmake -DFMT_TEST=OFF -DFMT_DOC=OFF)
  # headers only
  dpkg -L nlohmann-json3-dev libcli11-dev | grep -E '^/usr/(include|share/cmake|lib/cmake|share/pkgconfig)/' | while read -r package; do
    [ -d "$package" ] || install -D -m 644 "$package" "$root$package"
  done
  cp -r /usr/include/x86_64-linux-gnu/python3* "$root/usr/include/x86_64-linux-gnu/" 2>/dev/null || true  # of Debian's Python
  mkdir -p "$root/licences"
  for package in zlib1g libdeflate0 libbz2-1.0 liblzma5 libzstd1 libhtscodecs2 libhts3 libisal2 libtbb12 libfmt-dev libstdc++6; do
    cp -L "/usr/share/doc/$package/copyright" "$root/licences/$package"
  done
}

if [ ! -e "$root/complete" ]; then
  echo "== compiler and libraries: $root"
  version="$(g++ -dumpversion)"
  jobs="$(nproc)"
  launcher="$(command -v ccache || true)"
  work="$PWD/build/old-glibc-work"
  rm -rf "$root" "$work"
  mkdir -p "$work"
  fetch "$work/sources"
  make_glibc
  make_libstdcxx
  make_compilers
  make_libraries
  rm -rf "$work"
  touch "$root/complete"
fi
[ "$kind" != root ] || exit 0

if [ "$kind" = wheel ]; then
  built=build/old-glibc-wheel  # an archive may have GPU code, and wheels none
  echo "== library: $built"
  cmake --preset old-glibc -B "$built" "-DBASESWEEP_CUDA=${BASESWEEP_CUDA:-OFF}" >/dev/null
  cmake --build "$built" --parallel "$(nproc)" --target basesweep_api basesweep_kernels basesweep_lib
  CMAKE_TOOLCHAIN_FILE="$PWD/cmake/OldGlibc.cmake" SKBUILD_BUILD_DIR=build/python-old-glibc \
    scripts/wheel.sh --built "$built" --output "${output:-build/wheel}" "${pythons[@]}"
  exit
fi

output="${output:-build/bundle}"
scripts/build.sh old-glibc packaged
scripts/gpu_code.sh build/old-glibc
scripts/bundle.sh --built build/old-glibc --output "$output"
echo "== check: nothing newer than glibc $glibc, and no other library"
bundle="$output/basesweep-$(scripts/version.py)-linux-x86_64"
scripts/glibc_symbols.py check "$glibc" "$bundle/bin/basesweep"
[ ! -e "$bundle/lib" ] || die "libraries are not linked statically: $(ls "$bundle/lib")"
