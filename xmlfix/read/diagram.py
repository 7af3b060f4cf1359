"""The reader's states and transitions, read off the code, as a Mermaid diagram."""

from __future__ import annotations

import ast
import inspect

from xmlfix.read import doctype, rawtext, references, special, states

MODULES = (states, rawtext, references, special, doctype)
ALIASES = frozenset(("home", "back"))


def transitions() -> dict[str, list[str]]:
    """Each state and the states that it may return, in the order of the code.

    `home` stands for the state between two tokens, `back` for the state that met a
    character reference.
    """
    functions: dict[str, ast.FunctionDef] = {}
    for module in MODULES:
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                functions[node.name] = node
    state_names = [name for name, node in functions.items() if is_state(node)]
    known = set(state_names)
    return {
        name: list(dict.fromkeys(returned(functions, name, known, set()))) for name in state_names
    }


def is_state(node: ast.FunctionDef) -> bool:
    """Whether a function has the four arguments of a state."""
    return [argument.arg for argument in node.args.args] == ["r", "src", "pos", "more"]


def returned(
    functions: dict[str, ast.FunctionDef], name: str, known: set[str], seen: set[str]
) -> list[str]:
    """The states named in the return statements of a function and of helpers it returns."""
    if name in seen:
        return []
    seen.add(name)
    found: list[str] = []
    for node in ast.walk(functions[name]):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        for part in ast.walk(node.value):
            if isinstance(part, ast.Name) and part.id in known:
                found.append(part.id)
            elif isinstance(part, ast.Attribute) and part.attr in ALIASES:
                found.append(part.attr)
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                called = part.func.id
                if called in functions and called not in known:
                    found.extend(returned(functions, called, known, seen))
    return found


def mermaid() -> str:
    """The diagram, in the order of the code."""
    lines = ["stateDiagram-v2", "    [*] --> content"]
    for state, following in transitions().items():
        lines.extend(f"    {state} --> {other}" for other in following)
    lines.append("    endOfInput --> [*]")
    return "\n".join(lines) + "\n"
