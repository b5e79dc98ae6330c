import { brandRow } from '@portal/contract/brand/brand-values';
import { Button } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import styles from './Brand.module.css';
import { Value } from './brand-words.tsx';
import { useLogoUpload } from './use-logo-upload.ts';

type LogoFieldProps = {
  name: 'logoLight' | 'logoDark';
  value: string;
  fixed: boolean;
  field: { id: string; error: string | undefined };
  onChange: (value: string) => void;
};

/** A logo: its file is checked and kept when it is chosen, and pages show it once a change that names it is confirmed. */
export function LogoField({ name, value, fixed, field, onChange }: LogoFieldProps) {
  const { title, help, ifEmpty } = brandRow(name);
  const { choose, busy, problem } = useLogoUpload(onChange);
  const shown = <Value name={name} value={value} />;
  if (fixed)
    return (
      <div className={styles.accent}>
        <b>{title}</b>
        {shown}
        <span className="quiet">Fixed in the profile file.</span>
      </div>
    );
  return (
    <div className={styles.accent}>
      <FileField
        id={field.id}
        label={title}
        optional
        help={`${help} Without one, ${ifEmpty}.`}
        error={problem ?? field.error}
        files={[]}
        accept=".png,.webp,image/png,image/webp"
        most={1}
        onChoose={([file]) => file && void choose(file)}
        onRemove={() => undefined}
      />
      {/* Read out when the file was checked. */}
      <output>{busy ? <span className="quiet">Checking the file…</span> : value !== '' && shown}</output>
      {value !== '' && (
        <Button size="s" aria-label={`Remove: ${title}`} onClick={() => onChange('')}>
          Remove
        </Button>
      )}
    </div>
  );
}
