"""Types of the compiled part."""

from typing import Any, Dict, List, Mapping, Optional, Tuple

class Diagnostic:
    id: str
    message: str
    rule: str
    from_: str
    try_: str
    but: str
    is_error: bool
    def __init__(self, id: str, message: str, more: Mapping[str, str] = ...) -> None: ...

class Findings:
    out_of_bounds: int
    first_out_of_bounds: int
    collisions: int
    first_collision: int
    def __bool__(self) -> bool: ...

class BoundKernel:
    findings: Optional[Findings]
    def __call__(self) -> Optional[Findings]: ...

class Kernel:
    spec: str
    plan: str
    strategy: str
    asm: str
    backend: str
    notes: List[Diagnostic]
    def __init__(self, spec: str, backend: str = "auto", threads: int = 1) -> None: ...
    def __call__(self, *, bind: Mapping[str, int] = ..., **operands: Any) -> Optional[Findings]: ...
    def unchecked(
        self, *, bind: Mapping[str, int] = ..., **operands: Any
    ) -> Optional[Findings]: ...
    def audit(self, *, bind: Mapping[str, int] = ..., **operands: Any) -> Findings: ...
    def bind(self, *, bind: Mapping[str, int] = ..., **operands: Any) -> BoundKernel: ...

def check(spec: str) -> Tuple[Optional[str], List[Diagnostic], str]: ...
def cache_statistics() -> Dict[str, int]: ...
def run_tool(words: List[str]) -> Tuple[int, str, str]: ...
def gather_rows(table: Any, ids: Any, *, oob: str = "raise", threads: int = 1) -> Any: ...
def scatter_rows(
    table: Any,
    ids: Any,
    rows: Any,
    *,
    oob: str = "raise",
    atomic: Optional[str] = None,
    conflict: str = "last",
    threads: int = 1,
) -> None: ...
def gather(table: Any, idx: Any, *, oob: str = "raise", threads: int = 1) -> Any: ...
def scatter(
    table: Any,
    idx: Any,
    values: Any,
    *,
    oob: str = "raise",
    atomic: Optional[str] = None,
    conflict: str = "last",
    threads: int = 1,
) -> None: ...
