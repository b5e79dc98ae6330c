import type { Form } from '@portal/app-kit/form/use-form';
import type { NewRoute } from '@portal/contract/routes/routes';
import { childPrefixes, countChildren, parseAsNumber, parsePrefix, printPrefix } from '@portal/number-resources';
import { Button, ButtonRow, Checkbox, Disclosure, Field, FieldGroup, Link, Select, TextArea, TextInput } from '@portal/ui';
import styles from './Routes.module.css';

/** The values of the form of a route. */
export type RouteValues = Omit<NewRoute, 'maxLength'> & { maxLength: string };

type Props = { form: Form<RouteValues> };

/** Prefix and AS number, which a route keeps for ever. */
export const KeyFields = ({ form: { field, input } }: Props) => (
  <>
    <Field label="Prefix" help="Inside one of your delegations, such as 192.0.2.0/24" {...field('prefix')}>
      <TextInput mono spellCheck={false} {...input('prefix')} maxLength={60} />
    </Field>
    <Field
      label="Origin AS"
      help="The AS number that announces it, such as AS64500. AS0 in a ROA says that no AS may announce it"
      {...field('asn')}
    >
      <TextInput mono spellCheck={false} {...input('asn')} maxLength={20} />
    </Field>
  </>
);

/** Whether a route is published as a ROA, as an object, or as both. */
export const PublishAs = ({ form: { values: facts, set: onChange }, rpki }: Props & { rpki: 'on' | 'off' }) => (
  <FieldGroup legend="Publish as">
    <Checkbox
      checked={facts.roa}
      disabled={rpki === 'off' && !facts.roa}
      help={rpki === 'off' ? 'RPKI isn’t enabled for this account.' : 'Networks that validate accept the announcement.'}
      onChange={({ target }) => onChange({ roa: target.checked })}
    >
      ROA
    </Checkbox>
    {rpki === 'off' && (
      <p className="small">
        <Link href="/resources/rpki/index">Enable RPKI</Link>
      </p>
    )}
    <Checkbox
      checked={facts.whois}
      disabled={isAs0(facts.asn)}
      help={isAs0(facts.asn) ? 'AS0 announces nothing, so it has no route object.' : 'Networks that build filters from whois accept it.'}
      onChange={({ target }) => onChange({ whois: target.checked })}
    >
      Whois route object
    </Checkbox>
  </FieldGroup>
);

/** The attributes of the route object, and the more specific prefixes that get one too. */
export function ObjectFields({ form, maintainers }: Props & { maintainers: readonly string[] }) {
  const { field, input, values: facts } = form;
  return (
    <>
      <SubRoutes form={form} />
      <Field label="Description" optional help="Attribute descr. The name of your organisation if empty" {...field('descr')}>
        <TextInput {...input('descr')} maxLength={200} />
      </Field>
      {maintainers.length > 1 && (
        <Field label="Maintainer" {...field('maintainer')}>
          <Select
            {...input('maintainer')}
            options={[
              { value: '', label: `${maintainers[0]} (principal)` },
              ...maintainers.slice(1).map(each => ({ value: each, label: each })),
            ]}
          />
        </Field>
      )}
      <Disclosure summary="Other attributes" open={facts.attributes !== '' || field('attributes').error !== undefined}>
        <Field
          label="Other attributes"
          optional
          help="One on each line, such as remarks: customer 12 or notify: noc@example.net"
          {...field('attributes')}
        >
          <TextArea mono rows={4} spellCheck={false} {...input('attributes')} maxLength={4_000} />
        </Field>
      </Disclosure>
    </>
  );
}

function SubRoutes({ form: { values: facts, set: onChange } }: Props) {
  const boxes = subPrefixes(facts.prefix, facts.maxLength);
  if (boxes.length === 0) return null;
  return (
    <FieldGroup legend="Sub-routes" help="A route object has no maximum length. Choose the more specific prefixes that get their own.">
      <div className={styles.subRoutes}>
        {boxes.map(sub => (
          <Checkbox
            key={sub}
            checked={facts.subRoutes.includes(sub)}
            onChange={({ target }) =>
              onChange({ subRoutes: target.checked ? [...facts.subRoutes, sub] : facts.subRoutes.filter(each => each !== sub) })
            }
          >
            <span className="mono">{sub}</span>
          </Checkbox>
        ))}
      </div>
      <ButtonRow>
        <Button size="s" onClick={() => onChange({ subRoutes: boxes.filter(sub => sub.endsWith(`/${facts.maxLength}`)) })}>
          All /{facts.maxLength}
        </Button>
        <Button size="s" onClick={() => onChange({ subRoutes: [] })}>
          None
        </Button>
      </ButtonRow>
    </FieldGroup>
  );
}

/** Sub-prefixes shown as boxes; more are typed. */
const maxBoxes = 64;

/** More specific prefixes down to the maximum length; empty where there are none, or too many to tick. */
function subPrefixes(prefix: string, maxLength: string): string[] {
  try {
    const outer = parsePrefix(prefix.trim());
    const found: string[] = [];
    for (let length = outer.length + 1; length <= Number(maxLength); length++) {
      if (found.length + Number(countChildren(outer, length)) > maxBoxes) return found;
      for (const child of childPrefixes(outer, length)) found.push(printPrefix(child));
    }
    return found;
  } catch {
    return [];
  }
}

const isAs0 = (text: string): boolean => {
  try {
    return parseAsNumber(text.trim()) === 0;
  } catch {
    return false;
  }
};
