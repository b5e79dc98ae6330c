import { Button } from '@portal/ui';
import { ValueInput } from '../editor/ValueInput.tsx';

export type ZoneContactFields = { adminC: string; techC: string; zoneC: string };

type Props = {
  fields: ZoneContactFields;
  onChange: (change: Partial<ZoneContactFields>) => void;
  /** True where an empty administrative contact keeps the current one. */
  optional?: boolean;
  /** Id and problem of each in the form. */
  field: (name: keyof ZoneContactFields) => { id: string; error: string | undefined };
  /** Contacts of most other zones of the account, to be taken over. */
  usual?: ZoneContactFields | null;
};

/** Fields for the contacts of zones. Without a technical or zone contact the administrative contact takes their place. */
export function ZoneContacts({ fields, onChange, optional = false, field, usual = null }: Props) {
  const handles = usual ? [...new Set([usual.adminC, usual.techC, usual.zoneC])].filter(each => each !== '') : [];
  // If a zone has several of a kind, they are entered by hand.
  const isOffered = fields.adminC === '' && handles.length > 0 && !handles.some(each => each.includes(','));
  return (
    <>
      {isOffered && (
        <p className="small">
          Most of your zones have {handles.join(', ')}.{' '}
          <Button size="s" onClick={() => onChange(usual!)}>
            Use {handles.length === 1 ? handles[0] : 'these contacts'}
          </Button>
        </p>
      )}
      <ValueInput
        label="Administrative contact"
        attribute="admin-c"
        value={fields.adminC}
        field={field('adminC')}
        onChange={adminC => onChange({ adminC })}
        from="registry"
        {...(optional && { optional })}
      />
      <ValueInput
        label="Technical contact"
        attribute="tech-c"
        value={fields.techC}
        field={field('techC')}
        onChange={techC => onChange({ techC })}
        from="registry"
        optional
      />
      <ValueInput
        label="Zone contact, who gets mails about the servers"
        attribute="zone-c"
        value={fields.zoneC}
        field={field('zoneC')}
        onChange={zoneC => onChange({ zoneC })}
        from="registry"
        optional
      />
      <p className="small quiet">If empty, the administrative contact.</p>
    </>
  );
}
