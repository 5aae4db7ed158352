/**
 * Reads untrusted JSON by the shapes that are generated from the wire schema (Web/protocol/shapes.ts). It never throws:
 * a server that is newer than this client must not break it.
 *
 * An unknown member is ignored. A value is unusable where its first member is missing or has another type, and so is
 * an object that holds an unusable object: it is left out of its list. Any other missing member gets its neutral value
 * ("", 0, false, []) where it is required, an unknown text the last choice, and a number outside its range the nearest
 * one, or none where it can be omitted.
 */
import { isObject } from "./parse";
import type { Shape, Shapes } from "../../protocol/shapes";

/** The value of this shape; `undefined` where it is unusable. */
export const read = <T>(shape: Shape<T>, v: unknown): T | undefined => value(shape, v) as T | undefined;

/**
 * The one member of `v` whose name is a kind, with that kind. `undefined` where there is none, or it is unusable.
 * `whole`: the shape of a kind describes `v` itself, else the member.
 */
export function readKind(kinds: Shapes, v: Readonly<Record<string, unknown>>, whole = false): object | undefined {
  for (const kind in kinds) {
    const shape = kinds[kind];
    if (!shape || !(kind in v)) continue;
    const found = value(shape, whole || kind in shape ? v : v[kind]);
    return found === undefined ? found : { kind, ...(found as object) };
  }
  return undefined;
}

function value(shape: unknown, v: unknown, isOptional = false): unknown {
  if (Array.isArray(shape)) {
    const [least, most] = shape;
    if (most !== undefined) {
      const nearest = Math.min(most, Math.max(least, v as number));
      return isNumber(v) && (v === nearest || !isOptional) ? nearest : undefined;
    }
    return Array.isArray(v) ? v.map((item) => value(least, item)).filter((item) => item !== undefined) : undefined;
  }
  if (isObject(shape)) return typeof v === "object" && v !== null ? members(shape, v) : undefined;
  if (typeof shape === "string" && shape && v !== undefined) {
    const choices = shape.split("|");
    return choices.includes(v as string) ? v : choices.pop();
  }
  if (shape === true) return v === 1;
  if (shape === null) return v;
  return typeof v === typeof shape && (typeof v !== "number" || isNumber(v)) ? v : undefined;
}

/** A list is an object without names: its elements are the members, in their order. */
function members(shape: Readonly<Record<string, unknown>>, v: object): object | undefined {
  const found: Record<string, unknown> = {};
  const source = v as Readonly<Record<string, unknown>>;
  let index = 0;
  for (const key in shape) {
    if (key === "$") {
      if (!((found["n"] as number) > 0)) return undefined;
      found["content"] = readKind(shape[key] as Shapes, source) ?? { kind: "unknown" };
      continue;
    }
    const name = key.replace("?", "");
    const member = value(shape[key], source[Array.isArray(v) ? index : name], name !== key)
      ?? (index && name === key ? neutral(shape[key]) : undefined);
    if (member !== undefined) found[name] = member;
    else if (name === key) return undefined;
    index++;
  }
  return found;
}

/** What is read for a member that is missing. An object has no neutral value. */
function neutral(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.length > 1 ? shape[0] : [];
  return typeof shape === "string" ? shape.split("|").pop() : isObject(shape) ? undefined : shape;
}

const isNumber = (v: unknown): v is number => Number.isFinite(v);
