import type { PatchOperation } from '../contract/problem.ts';

/** Applies a JSON Patch to a copy. @returns `undefined` where an operation does not fit: then nothing is changed */
export function applyPatch(value: unknown, patch: readonly PatchOperation[]): unknown {
  let after = value;
  for (const operation of patch) {
    const steps =
      operation.path === ''
        ? []
        : operation.path
            .split('/')
            .slice(1)
            .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const result = applyAt(after, steps, operation);
    if (result === undefined) return undefined;
    after = result.value;
  }
  return after;
}

type Applied = { readonly value: unknown } | undefined;

function applyAt(value: unknown, [step, ...rest]: readonly string[], operation: PatchOperation): Applied {
  if (step === undefined) {
    return operation.op === 'remove' ? undefined : { value: operation.value };
  }
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const index = step === '-' ? list.length : /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : -1;
    if (rest.length === 0 && operation.op === 'add')
      return index < 0 || index > list.length ? undefined : { value: list.toSpliced(index, 0, operation.value) };
    if (index < 0 || index >= list.length) return undefined;
    if (rest.length === 0 && operation.op === 'remove') return { value: list.toSpliced(index, 1) };
    const item = applyAt(list[index], rest, operation);
    return item === undefined ? undefined : { value: list.with(index, item.value) };
  }
  if (!isRecord(value) || step === '__proto__') return undefined;
  if (!Object.hasOwn(value, step))
    return rest.length === 0 && operation.op === 'add' ? { value: { ...value, [step]: operation.value } } : undefined;
  if (rest.length === 0 && operation.op === 'remove') {
    const { [step]: _gone, ...others } = value;
    return { value: others };
  }
  const field = applyAt(value[step], rest, operation);
  return field === undefined ? undefined : { value: { ...value, [step]: field.value } };
}

const isRecord = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
