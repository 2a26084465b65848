//===- AIRAsyncOps.td - Tokens, execute, custom ------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRASYNCOPS_TD
#define AIRCC_DIALECTS_AIR_AIRASYNCOPS_TD

include "dialects/air/AIRHierarchyOps.td"

//===----------------------------------------------------------------------===//
// air.wait_all
//===----------------------------------------------------------------------===//

def AIR_WaitAllOp
    : AIR_Op<"wait_all", [AIR_AsyncOpInterface,
                          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Wait for tokens, or join them";
  let description = [{
    Without `async`, the program waits until all of the tokens have completed.
    With `async`, it does not wait, and the op returns a token that completes
    when all of the others have: a join. `air.wait_all async` without tokens
    creates a completed token, which loops need for their first iteration.

    Example:

    ```mlir
    %a = air.wait_all async
    %b = air.wait_all async
    %both = air.wait_all async [%a, %b]
    air.wait_all [%both]
    ```
  }];
  let arguments = (ins Variadic<AIR_AsyncToken>:$async_dependencies);
  let results = (outs Optional<AIR_AsyncToken>:$async_token);
  let assemblyFormat = [{
    `` custom<AsyncDependencies>(type($async_token), $async_dependencies)
    attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$dependencies, "bool":$isAsync), [{
      build($_builder, $_state,
            isAsync ? ::mlir::TypeRange(
                          $_builder.getType<::aircc::air::AsyncTokenType>())
                    : ::mlir::TypeRange(),
            dependencies);
    }]>
  ];
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// air.execute
//===----------------------------------------------------------------------===//

def AIR_ExecuteOp
    : AIR_Op<"execute", [AIR_AsyncOpInterface, RecursiveMemoryEffects,
                         SingleBlockImplicitTerminator<"ExecuteTerminatorOp">]> {
  let summary = "Execute a region asynchronously";
  let description = [{
    Waits for all tokens, then executes the ops in its region in order. It
    always returns a token, followed by the operands of
    `air.execute_terminator`.

    Example:

    ```mlir
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %t0, %buf = air.execute -> (memref<4xf32, 1>) {
      %m = memref.alloc() : memref<4xf32, 1>
      air.execute_terminator %m : memref<4xf32, 1>
    }
    %t1 = air.execute [%t0] {
      memref.store %zero, %buf[%c0] : memref<4xf32, 1>
    } {id = 1 : i32}
    air.wait_all [%t1]
    ```

    Errors: a terminator whose operands do not match the op's results in number
    and type.
  }];
  let arguments = (ins Variadic<AIR_AsyncToken>:$async_dependencies);
  let results = (outs AIR_AsyncToken:$async_token, Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    (` ``[` $async_dependencies^ `]`)?
    (`->` `(` type($results)^ `)`)? regions attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def AIR_ExecuteTerminatorOp
    : AIR_Op<"execute_terminator", [HasParent<"ExecuteOp">, Pure, ReturnLike,
                                    Terminator]> {
  let summary = "Ends the region of `air.execute` and yields its results";
  let description = [{
    Its operands are the results of the `air.execute` after the token. If there
    are none, the terminator may be omitted.

    Example:

    ```mlir
    %t, %n = air.execute -> (index) {
      %c1 = arith.constant 1 : index
      air.execute_terminator %c1 : index
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins), [{ /* Yields nothing. */ }]>];
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

//===----------------------------------------------------------------------===//
// air.custom
//===----------------------------------------------------------------------===//

def AIR_CustomOp
    : AIR_Op<"custom", [AIR_AsyncOpInterface, AttrSizedOperandSegments]> {
  let summary = "A placeholder for an external op";
  let description = [{
    Represents work that is unknown to the compiler, and may read and write any
    memory. `symbol` may name the code that performs the work.

    Example:

    ```mlir
    func.func @call(%a: i32) {
      %t0 = air.wait_all async
      %t1 = air.custom @mine async [%t0] operands (%a, %a) : i32, i32
          attributes {symbol = @kernels::@mine}
      air.custom [%t1]
      return
    }
    ```
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    OptionalAttr<SymbolRefAttr>:$symbol,
    Variadic<AIR_AsyncToken>:$async_dependencies,
    Variadic<AnyType>:$custom_operands);
  let results = (outs Optional<AIR_AsyncToken>:$async_token);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // AIRCC_DIALECTS_AIR_AIRASYNCOPS_TD
