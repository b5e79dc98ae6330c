import { Banner } from '@portal/ui';
import { ValueInput } from '../editor/ValueInput.tsx';

export type ZoneContactFields = { adminC: string; techC: string; zoneC: string };

type Props = {
  fields: ZoneContactFields;
  onChange: (change: Partial<ZoneContactFields>) => void;
  /** True where an empty administrative contact keeps the current one. */
  optional?: boolean;
  /** Problem of the administrative contact. */
  error?: string | undefined;
};

/** Fields for the contacts of zones. Without a technical or zone contact the administrative contact takes their place. */
export function ZoneContacts({ fields, onChange, optional = false, error }: Props) {
  return (
    <>
      <ValueInput
        label="Administrative contact"
        attribute="admin-c"
        value={fields.adminC}
        onChange={adminC => onChange({ adminC })}
        from="registry"
        {...(optional && { optional })}
      />
      {error && <Banner kind="error">{error}</Banner>}
      <ValueInput
        label="Technical contact"
        attribute="tech-c"
        value={fields.techC}
        onChange={techC => onChange({ techC })}
        from="registry"
        optional
      />
      <ValueInput
        label="Zone contact, who gets mails about the servers"
        attribute="zone-c"
        value={fields.zoneC}
        onChange={zoneC => onChange({ zoneC })}
        from="registry"
        optional
      />
      <p className="small quiet">If empty, the administrative contact.</p>
    </>
  );
}
