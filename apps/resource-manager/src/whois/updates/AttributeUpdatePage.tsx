import { Page, useAccount, useAddress, useAnswer, useDraft } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whois, type WhoisClass } from '@portal/contract/whois/whois';
import { Banner, Field, FormColumn, Link, Select, Sheet, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { type BulkChange, BulkReview, useBulkReview } from './BulkReview.tsx';
import { changedClasses, findingAttributes } from '../editor/many-objects.ts';
import { ClassChips } from '../objects/ClassChips.tsx';
import { ValueInput } from '../editor/ValueInput.tsx';

type Values = { attribute: (typeof findingAttributes)[number]; value: string; newValue: string; classes: WhoisClass[] };

const changeOf = ({ attribute, value, newValue, classes }: Values): BulkChange => ({
  choose: { attribute, value: value.trim(), ...(classes.length > 0 && { classes }) },
  actions: [{ action: 'replace', attribute, value: value.trim(), newValue: newValue.trim() }],
});

function problemsOf({ attribute, value, newValue }: Values): { value?: string; newValue?: string } {
  const [old, now] = [value.trim(), newValue.trim()];
  return {
    ...(old === '' && { value: `Enter the ${attribute} to replace` }),
    ...(now === '' && { newValue: `Enter the new ${attribute}` }),
    ...(old !== '' && old.toLowerCase() === now.toLowerCase() && { newValue: 'Both values are the same' }),
  };
}

/** /resources/whois-attribute-update: one value becomes another in all objects that have it. */
export default function AttributeUpdatePage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const initial: Values = {
    attribute: findingAttributes.find(each => each === address.get('attribute')) ?? 'tech-c',
    value: address.get('value') ?? '',
    newValue: '',
    classes: [],
  };
  const draft = useDraft(`whois-attribute:${account}`, initial);
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const review = useBulkReview({ onDone: () => form.reset() });
  const form = useForm(whois.bulkChange.body, initial, {
    name: 'attribute-update',
    draft,
    also: ['phrase'],
    toBody: values => review.bodyOf(changeOf(values)),
    fieldAt: place => (place.endsWith('newValue') ? 'newValue' : place.endsWith('value') ? 'value' : place),
    check: values => ({ ...problemsOf(values), phrase: review.phraseProblem(changeOf(values)) }),
    change: review.carryOut,
    send: review.send,
  });
  const { values, set } = form;
  const { attribute, value, newValue, classes } = values;
  const now = newValue.trim();
  const isLockOut =
    attribute === 'mnt-by' && now !== '' && !maintainers.some(({ maintainer }) => maintainer.toLowerCase() === now.toLowerCase());
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
      <Form form={form} label="Attribute update" bare>
        <Stack gap={16}>
          <Sheet title="Changes">
            <FormColumn>
              <Field label="Attribute" {...form.field('attribute')}>
                <Select
                  value={attribute}
                  onChange={event => set({ attribute: event.target.value as Values['attribute'], value: '', newValue: '' })}
                  options={findingAttributes}
                />
              </Field>
              <ValueInput
                field={form.field('value')}
                label="Old value"
                attribute={attribute}
                value={value}
                onChange={next => set({ value: next })}
                from="own"
              />
              <ValueInput
                field={form.field('newValue')}
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
          <BulkReview review={review} form={form} change={changeOf(values)} />
        </Stack>
      </Form>
    </Page>
  );
}
