/** A choice of one among a few, with its label. */
export interface SelectProps {
  label: string;
  name: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
}

export function Select({ label, name, value, options }: SelectProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
