import { Page, useAccount, useAddress, useDraft } from '@portal/app-kit';
import { Form as FormFrame } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { whois, type WhoisClass } from '@portal/contract/whois/whois';
import { Button, Field, LinkButton, Select, Sheet, Stack, TextArea } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { type BulkChange, BulkReview, useBulkReview } from './BulkReview.tsx';
import { ClassChips } from '../objects/ClassChips.tsx';
import styles from './BulkUpdatesPage.module.css';
import { changedClasses, changeableIn, findingAttributes, readObjectList } from '../editor/many-objects.ts';
import { ValueInput } from '../editor/ValueInput.tsx';

type Action = { id: number; action: 'add' | 'replace' | 'set' | 'remove'; attribute: string; value: string; newValue: string };
type Values = { classes: WhoisClass[]; attribute: string; value: string; keys: string; actions: Action[] };

const actionWords = { replace: 'Replace a value', add: 'Add a line', set: 'Set to one value', remove: 'Remove' } as const;
const maxActions = 10;
const firstAction: Action = { id: 1, action: 'replace', attribute: 'tech-c', value: '', newValue: '' };
const empty: Values = { classes: [], attribute: '', value: '', keys: '', actions: [firstAction] };

/** Returns what is wrong, by field; values of a change are named by its number. */
function problemsOf({ attribute, value, keys, actions }: Values): Record<string, string> {
  const { keys: listed, wrong } = readObjectList(keys);
  const problems: Record<string, string> = {};
  if (wrong.length > 0) problems.keys = `Line ${wrong.join(', ')}: enter type and key, such as route 192.0.2.0/24AS64500`;
  else if (listed.length > 5_000) problems.keys = 'At most 5,000 objects can be listed';
  if (attribute !== '' && value.trim() === '') problems.value = `Enter which ${attribute} they have`;
  for (const { id, action, attribute: name, value: old, newValue } of actions) {
    if (action === 'replace' && old.trim() === '') problems[`actions.${id}.value`] = `Enter the ${name} to replace`;
    if (action !== 'remove' && newValue.trim() === '') problems[`actions.${id}.newValue`] = `Enter the new ${name}`;
  }
  return problems;
}

/** `actions.0.newValue` is about the change that comes first, whatever its number is. */
function fieldAt(place: string, { actions }: Values): string {
  const [, index, field] = /^actions\.(\d+)\.(value|newValue)/.exec(place) ?? [];
  if (field !== undefined) return `actions.${actions[Number(index)]?.id}.${field}`;
  return place.startsWith('choose.keys') ? 'keys' : place.startsWith('choose.value') ? 'value' : place.replace(/^choose.*/, 'classes');
}

function changeOf({ classes, attribute, value, keys, actions }: Values): BulkChange {
  const { keys: listed } = readObjectList(keys);
  return {
    choose: {
      ...(classes.length > 0 && { classes }),
      ...(attribute !== '' && { attribute, value: value.trim() }),
      ...(listed.length > 0 && { keys: listed }),
    },
    actions: actions.map(({ action, attribute: name, value: old, newValue }) => ({
      action,
      attribute: name,
      ...((action === 'replace' || (action === 'remove' && old.trim() !== '')) && { value: old.trim() }),
      ...(action !== 'remove' && { newValue: newValue.trim() }),
    })),
  };
}

/** /resources/bulk-whois-updates: one change of many objects, selected by criteria. */
export default function BulkUpdatesPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const initial = { ...empty, keys: address.get('objects') ?? '' };
  const draft = useDraft<Values>(`whois-bulk:${account}`, initial);
  const review = useBulkReview({ onDone: () => form.reset() });
  const form = useForm(whois.bulkChange.body, initial, {
    name: 'bulk',
    draft,
    also: ['phrase', ...draft.value.actions.flatMap(({ id }) => [`actions.${id}.value`, `actions.${id}.newValue`])],
    toBody: values => review.bodyOf(changeOf(values)),
    fieldAt,
    check: values => ({ ...problemsOf(values), phrase: review.phraseProblem(changeOf(values)) }),
    change: review.carryOut,
    send: review.send,
  });
  return (
    <Page
      title="Bulk updates"
      sub="Choose objects, define the change, review, apply."
      actions={<LinkButton href="/task/bulk-updates-list">Earlier bulk updates</LinkButton>}
    >
      <AccountNote />
      <FormFrame form={form} label="Bulk updates" bare>
        <Stack gap={16}>
          <Choose {...form} />
          <Actions {...form} />
          <BulkReview review={review} form={form} change={changeOf(form.values)} />
        </Stack>
      </FormFrame>
    </Page>
  );
}

type Part = Pick<FormState<Values, string>, 'values' | 'set' | 'field' | 'leave'>;

function Choose({ values: form, set, field, leave }: Part) {
  const { keys } = readObjectList(form.keys);
  return (
    <Sheet title="Which objects" meta="All filters apply. Leave empty for all objects.">
      <Stack gap={16}>
        <ClassChips legend="Classes" classes={changedClasses} chosen={form.classes} onChange={classes => set({ classes })} />
        <div className={styles.pair}>
          <Field label="With attribute" optional>
            <Select
              value={form.attribute}
              onChange={event => set({ attribute: event.target.value, value: '' })}
              options={[{ value: '', label: 'any attributes' }, ...findingAttributes.map(name => ({ value: name, label: name }))]}
            />
          </Field>
          {form.attribute !== '' && (
            <ValueInput
              field={field('value')}
              label="With the value"
              attribute={form.attribute}
              value={form.value}
              onChange={value => set({ value })}
              from="own"
            />
          )}
        </div>
        <Field
          label="From a list"
          optional
          {...field('keys')}
          help={keys.length > 0 ? `${keys.length} listed` : 'One per line, type and key, as copied by “Copy as a list” in Whois updates.'}
        >
          <TextArea
            mono
            rows={3}
            value={form.keys}
            spellCheck={false}
            onBlur={() => leave('keys')}
            onChange={event => set({ keys: event.target.value })}
          />
        </Field>
      </Stack>
    </Sheet>
  );
}

function Actions({ values: form, set, field }: Part) {
  const names = changeableIn(form.classes);
  const change = (id: number, more: Partial<Action>) =>
    set({ actions: form.actions.map(each => (each.id === id ? { ...each, ...more } : each)) });
  const next = Math.max(0, ...form.actions.map(({ id }) => id)) + 1;
  return (
    <Sheet
      title="Changes"
      meta="Applied in order"
      footer={
        <Button
          size="s"
          icon="plus"
          refusal={form.actions.length >= maxActions ? { reason: `At most ${maxActions} changes` } : null}
          onClick={() => set({ actions: [...form.actions, { ...firstAction, id: next }] })}
        >
          Add change
        </Button>
      }
    >
      <ol className={styles.actions}>
        {form.actions.map(({ id, action, attribute, value, newValue }, index) => (
          <li key={id} className={styles.action}>
            <Field label={`Change ${index + 1}`}>
              <Select
                value={action}
                onChange={event => change(id, { action: event.target.value as Action['action'] })}
                options={Object.entries(actionWords).map(([word, label]) => ({ value: word, label }))}
              />
            </Field>
            <Field label="Attribute">
              <Select
                value={attribute}
                onChange={event => change(id, { attribute: event.target.value })}
                options={names.includes(attribute) ? names : [attribute, ...names]}
              />
            </Field>
            {(action === 'replace' || action === 'remove') && (
              <ValueInput
                field={field(`actions.${id}.value`)}
                label={action === 'remove' ? 'Value (empty: all)' : 'Old value'}
                attribute={attribute}
                value={value}
                onChange={old => change(id, { value: old })}
                from="own"
                {...(action === 'remove' && { optional: true })}
              />
            )}
            {action !== 'remove' && (
              <ValueInput
                field={field(`actions.${id}.newValue`)}
                label="New value"
                attribute={attribute}
                value={newValue}
                onChange={now => change(id, { newValue: now })}
                from="registry"
              />
            )}
            {form.actions.length > 1 && (
              <div className={styles.remove}>
                <Button
                  icon="trash"
                  variant="quiet"
                  aria-label={`Remove change ${index + 1}`}
                  onClick={() => set({ actions: form.actions.filter(each => each.id !== id) })}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
