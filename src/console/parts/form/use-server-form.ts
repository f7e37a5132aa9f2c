/** A form whose values one request sends; the server's issues appear at the fields that they are about. */
import { type FormRulesRecord, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ProblemCode } from '../../../contract/problems.js';
import { ApiProblem } from '../../api/call.js';
import { fieldError, unshownError } from './field-error.js';

export interface ServerFormOptions<Values, Result> {
  readonly initialValues: Values;
  readonly validate?: FormRulesRecord<Values>;
  /** Fields that a problem without issues is about, such as the name of `user_exists`. */
  readonly fieldOfCode?: Partial<Record<ProblemCode, keyof Values & string>>;
  readonly send: (values: Values) => Promise<Result>;
  readonly onSent: (result: Result) => void;
}

/** @returns Mantine's form, with `submit` for the form element, and what went wrong that no field shows (or null) */
export function useServerForm<Values extends object, Result>(
  options: ServerFormOptions<Values, Result>,
) {
  const { initialValues, validate, fieldOfCode = {}, send, onSent } = options;
  const form = useForm<Values>({ initialValues, validate });
  const fields = Object.keys(initialValues);
  const fieldOf = (error: unknown): string | undefined =>
    error instanceof ApiProblem ? fieldOfCode[error.code] : undefined;
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: onSent,
    onError: (error) => {
      const found = fields.map((field) => [field, fieldError(error, field)] as const);
      const own = fieldOf(error);
      form.setErrors({
        ...Object.fromEntries(found.filter(([, message]) => message !== null)),
        ...(own !== undefined && { [own]: error.message }),
      });
    },
  });
  return {
    ...form,
    submit: form.onSubmit((values) => mutation.mutate(values)),
    isPending: mutation.isPending,
    error: fieldOf(mutation.error) === undefined ? unshownError(mutation.error, fields) : null,
  };
}
