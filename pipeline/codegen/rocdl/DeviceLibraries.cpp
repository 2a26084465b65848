//===- DeviceLibraries.cpp - Link ROCm's device libraries -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/rocdl/DeviceLibraries.h"

#include "pipeline/common/Dependency.h"
#include "pipeline/common/Exhaustion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace aircc {

//===----------------------------------------------------------------------===//
// Finding the libraries
//===----------------------------------------------------------------------===//

/// Returns the subdirectories of `parent` whose names are `prefix` followed by
/// a number of at most `limit`, highest number first.
static std::vector<std::string> getVersionedFolders(llvm::StringRef parent,
                                                    llvm::StringRef prefix,
                                                    unsigned limit) {
  std::vector<std::pair<unsigned, std::string>> found;
  std::error_code ec;
  for (fs::directory_iterator it(parent, ec), end; it != end && !ec;
       it.increment(ec)) {
    llvm::StringRef name = path::filename(it->path());
    unsigned number = 0;
    if (!name.consume_front(prefix) ||
        name.split('.').first.getAsInteger(10, number) || number > limit)
      continue;
    found.emplace_back(number, it->path());
  }
  // "17" and "17.0.6" have the same number. Order them by name so that the
  // result does not depend on the file system.
  llvm::sort(found, std::greater<>());
  auto folders = llvm::make_second_range(found);
  return {folders.begin(), folders.end()};
}

/// This LLVM cannot read the bitcode of newer versions.
static constexpr unsigned kNewestLLVM = LLVM_VERSION_MAJOR;

static void appendClangFolders(llvm::StringRef llvmRoot,
                               std::vector<std::string> &folders) {
  for (const std::string &clang :
       getVersionedFolders((llvmRoot + "/lib/clang").str(), "", kNewestLLVM)) {
    folders.push_back(clang + "/lib/amdgcn/bitcode");
    folders.push_back(clang + "/amdgcn/bitcode");
  }
}

static void appendRocmFolders(llvm::StringRef root,
                              std::vector<std::string> &folders) {
  folders.push_back((root + "/amdgcn/bitcode").str());
  appendClangFolders((root + "/lib/llvm").str(), folders);
  folders.push_back((root + "/lib/amdgcn/bitcode").str());
  folders.push_back(root.str());
}

std::vector<std::string> getDeviceLibraryFolders(llvm::StringRef rocmPath) {
  std::vector<std::string> folders;
  if (!rocmPath.empty()) {
    appendRocmFolders(rocmPath, folders);
    return folders;
  }
  if (auto fromEnvironment = llvm::sys::Process::GetEnv("ROCM_PATH"))
    if (!fromEnvironment->empty())
      appendRocmFolders(*fromEnvironment, folders);
  appendRocmFolders("/opt/rocm", folders);
  // Since trixie, Debian has one package per LLVM version; earlier releases
  // have a single directory.
  for (const std::string &llvmRoot :
       getVersionedFolders("/usr/lib", "llvm-", kNewestLLVM))
    appendClangFolders(llvmRoot, folders);
  appendClangFolders("/usr", folders);
  folders.push_back("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
  folders.push_back("/usr/lib/amdgcn/bitcode");
  folders.push_back("/usr/amdgcn/bitcode");
  return folders;
}

std::string findDeviceLibrary(llvm::ArrayRef<std::string> folders,
                              llvm::StringRef name) {
  for (const std::string &folder : folders) {
    std::string file = folder + "/" + name.str() + ".bc";
    if (fs::exists(file))
      return file;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// Returns the prefixes of the names of all functions of the device libraries.
static bool isDeviceLibraryName(llvm::StringRef name) {
  return name.starts_with("__ocml_") || name.starts_with("__ockl_") ||
         name.starts_with("__oclc_");
}

static std::vector<llvm::Function *> getUndefined(llvm::Module &module) {
  std::vector<llvm::Function *> undefined;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      undefined.push_back(&function);
  return undefined;
}

/// The libraries load their configuration from these constants, which LLVM then
/// folds. ROCm ships a file for each value, but not for chips that are newer
/// than the installed ROCm, so define the constants here.
static void defineControlConstants(llvm::Module &module,
                                   const DeviceLibraryControl &control) {
  auto define = [&](llvm::StringRef name, unsigned bits, uint64_t value) {
    constexpr unsigned kConstantAddressSpace = 4;
    if (llvm::GlobalVariable *present = module.getNamedGlobal(name)) {
      if (!present->isDeclaration())
        return;
      present->setInitializer(
          llvm::ConstantInt::get(present->getValueType(), value));
      present->setConstant(true);
      present->setLinkage(llvm::GlobalValue::InternalLinkage);
      return;
    }
    llvm::Type *type = llvm::IntegerType::get(module.getContext(), bits);
    new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                             llvm::GlobalValue::LinkOnceODRLinkage,
                             llvm::ConstantInt::get(type, value), name, nullptr,
                             llvm::GlobalValue::NotThreadLocal,
                             kConstantAddressSpace);
  };
  define("__oclc_ISA_version", 32, control.isaVersion);
  define("__oclc_ABI_version", 32, control.abiVersion);
  define("__oclc_wavefrontsize64", 8, control.wave64);
  define("__oclc_daz_opt", 8, control.daz);
  define("__oclc_finite_only_opt", 8, control.finiteOnly);
  define("__oclc_unsafe_math_opt", 8, control.unsafeMath);
  define("__oclc_correctly_rounded_sqrt32", 8, control.correctSqrt);
}

static llvm::Error makeMissingError(llvm::Function &function,
                                    llvm::ArrayRef<std::string> folders,
                                    llvm::ArrayRef<std::string> names) {
  std::string text = "'" + function.getName().str() + "' is called";
  std::vector<std::string> found;
  for (const std::string &name : names)
    if (std::string file = findDeviceLibrary(folders, name); !file.empty())
      found.push_back(file);
  if (found.empty()) {
    text += ", but the ROCm device libraries (" + llvm::join(names, ".bc, ") +
            ".bc) are not installed; looked in " + llvm::join(folders, ", ") +
            ". Install the package rocm-device-libs, or name a ROCm "
            "installation with --rocm-path";
  } else {
    text += ", but the installed ROCm device libraries do not define it (" +
            llvm::join(found, ", ") +
            "); a newer ROCm may: select it with --rocm-path";
  }
  return llvm::make_error<MissingDependencyError>(std::move(text));
}

llvm::Error linkDeviceLibraries(llvm::Module &module,
                                llvm::ArrayRef<std::string> folders,
                                llvm::ArrayRef<std::string> names,
                                const DeviceLibraryControl &control,
                                std::vector<std::string> &used) {
  if (llvm::none_of(getUndefined(module), [](llvm::Function *f) {
        return isDeviceLibraryName(f->getName());
      }))
    return llvm::Error::success();

  defineControlConstants(module, control);
  llvm::StringSet<> own;
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasLinkOnceODRLinkage())
      own.insert(value.getName());

  llvm::Linker linker(module);
  // A library may call an earlier one; the second round resolves such calls.
  for (unsigned round = 0; round != 2; ++round) {
    for (const std::string &name : names) {
      std::vector<llvm::Function *> undefined = getUndefined(module);
      if (undefined.empty())
        break;
      std::string file = findDeviceLibrary(folders, name);
      if (file.empty())
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(file);
      if (!buffer) {
        checkExhaustion(buffer.getError());
        return llvm::createStringError("cannot read " + file + ": " +
                                       buffer.getError().message());
      }
      auto library = llvm::getOwningLazyBitcodeModule(
          std::move(*buffer), module.getContext(),
          /*ShouldLazyLoadMetadata=*/true);
      if (!library)
        return llvm::createStringError("cannot read " + file + ": " +
                                       llvm::toString(library.takeError()));
      bool helps = llvm::any_of(undefined, [&](llvm::Function *f) {
        llvm::Function *theirs = (*library)->getFunction(f->getName());
        return theirs && !theirs->isDeclaration();
      });
      if (!helps)
        continue;
      // Old libraries have a different data layout and triple for the same
      // target.
      (*library)->setDataLayout(module.getDataLayout());
      (*library)->setTargetTriple(module.getTargetTriple());
      // Remove the notes about the OpenCL version of the library's source.
      for (llvm::StringRef note :
           {"opencl.ocl.version", "llvm.ident", "llvm.module.flags"})
        if (llvm::NamedMDNode *node = (*library)->getNamedMetadata(note))
          (*library)->eraseNamedMetadata(node);
      if (linker.linkInModule(std::move(*library),
                              llvm::Linker::LinkOnlyNeeded))
        return llvm::createStringError("cannot link " + file);
      if (!llvm::is_contained(used, file))
        used.push_back(file);
    }
  }
  for (llvm::Function *function : getUndefined(module))
    if (isDeviceLibraryName(function->getName()))
      return makeMissingError(*function, folders, names);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue &value) {
    return own.contains(value.getName());
  });
  return llvm::Error::success();
}

} // namespace aircc
