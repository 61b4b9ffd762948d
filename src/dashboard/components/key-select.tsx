/** The choice of the key that pays. */
import { Select } from './field.tsx';

export interface KeySelectProps {
  keys: readonly { name: string; prefix: string }[];
  value: string | undefined;
}

export function KeySelect({ keys, value }: KeySelectProps) {
  return (
    <Select
      label="Key"
      name="key"
      value={value}
      options={keys.map(({ name, prefix }) => ({ value: prefix, label: `${name} (${prefix})` }))}
    />
  );
}
