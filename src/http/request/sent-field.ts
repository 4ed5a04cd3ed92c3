/** The first of the fields that a body holds: whatever its value, only an admin may send it. */
export const sentField =
  <Field extends string>(...fields: readonly Field[]) =>
  ({ body }: { readonly body: Readonly<Partial<Record<Field, unknown>>> }): Field | undefined =>
    fields.find((field) => Object.hasOwn(body, field));
