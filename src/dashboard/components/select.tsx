/** A choice of one among a few, with its label. */
export interface SelectProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  /** What was wrong with what was chosen. */
  wrong?: string | undefined;
}

export function Select({ label, name, value, options, wrong }: SelectProps) {
  const isOffered = value === undefined || options.some((option) => option.value === value);
  // What came by an address is kept, so that it can be seen what was wrong with it.
  const shown = isOffered ? options : [...options, { value, label: value }];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        {...(wrong === undefined
          ? {}
          : { 'aria-invalid': 'true', 'aria-describedby': `${name}-wrong` })}
      >
        {shown.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      {wrong === undefined ? null : (
        <p class="wrong" id={`${name}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}
