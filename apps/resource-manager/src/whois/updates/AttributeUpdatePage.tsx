import { Page, useAccount, useAddress, useAnswer, useDraft } from '@portal/app-kit';
import { whois, type WhoisClass } from '@portal/contract/whois/whois';
import { Banner, Field, FormColumn, Link, Select, Sheet, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { type BulkChange, BulkReview } from './BulkReview.tsx';
import { changedClasses, findingAttributes } from '../editor/many-objects.ts';
import { ClassChips } from '../objects/ClassChips.tsx';
import { ValueInput } from '../editor/ValueInput.tsx';

type Form = { attribute: (typeof findingAttributes)[number]; value: string; newValue: string; classes: WhoisClass[] };

/** /resources/whois-attribute-update: one value becomes another in all objects that have it. */
export default function AttributeUpdatePage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const draft = useDraft<Form>(`whois-attribute:${account}`, {
    attribute: findingAttributes.find(each => each === address.get('attribute')) ?? 'tech-c',
    value: address.get('value') ?? '',
    newValue: '',
    classes: [],
  });
  const { attribute, value, newValue, classes } = draft.value;
  const set = (change: Partial<Form>) => draft.set({ ...draft.value, ...change });
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const [old, now] = [value.trim(), newValue.trim()];
  const whyNot =
    old === ''
      ? `Enter the ${attribute} to replace`
      : now === ''
        ? `Enter the new ${attribute}`
        : old.toLowerCase() === now.toLowerCase()
          ? 'Both values are the same'
          : null;
  const isLockOut =
    attribute === 'mnt-by' && now !== '' && !maintainers.some(({ maintainer }) => maintainer.toLowerCase() === now.toLowerCase());
  const change: BulkChange = {
    choose: { attribute, value: old, ...(classes.length > 0 && { classes }) },
    actions: [{ action: 'replace', attribute, value: old, newValue: now }],
  };
  return (
    <Page
      title="Attribute update"
      sub={
        <>
          Replace a value in every object that uses it. For more, use <Link href="/resources/bulk-whois-updates">bulk updates</Link>.
        </>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <Sheet title="What changes">
          <FormColumn>
            <Field label="Attribute">
              <Select
                value={attribute}
                onChange={event => set({ attribute: event.target.value as Form['attribute'], value: '', newValue: '' })}
                options={findingAttributes}
              />
            </Field>
            <ValueInput label="Old value" attribute={attribute} value={value} onChange={next => set({ value: next })} from="own" />
            <ValueInput
              label="New value"
              attribute={attribute}
              value={newValue}
              onChange={next => set({ newValue: next })}
              from="registry"
            />
            {isLockOut && (
              <Banner kind="warning" title={`${now} is not linked to ${account}.`}>
                If it becomes an object’s only maintainer, this account can no longer change the object.
              </Banner>
            )}
            <ClassChips
              legend="Only in these object types"
              classes={changedClasses}
              chosen={classes}
              onChange={next => set({ classes: next })}
            />
          </FormColumn>
        </Sheet>
        <BulkReview change={whyNot === null ? change : null} whyNot={whyNot} onDone={() => draft.discard()} />
      </Stack>
    </Page>
  );
}
