import { Icon } from '@portal/ui';

/** The place that decides a value: this page, or the profile file. */
export function SetBy({ fixed, file, bySince }: { fixed: boolean; file: string; bySince: boolean }) {
  const name = file === '' ? 'the profile file' : <span className="mono">{file}</span>;
  if (fixed)
    return (
      <>
        <Icon name="lock" /> {name}, the file wins
      </>
    );
  return bySince ? 'this page' : name;
}
