import { Page, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormValues, useForm } from '@portal/app-kit/form/use-form';
import { TextBlocks } from '@portal/app-kit/words/TextBlocks';
import { daysAfter, utcDay } from '@portal/contract/days';
import { type Asked, askedNames, askedPeople, legal, type LegalTextDetails } from '@portal/contract/legal/legal';
import { problemOfMarkdown, readMarkdown } from '@portal/contract/markdown';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Button, ButtonRow, Checkbox, Field, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { TextChanges } from '@portal/ui/difference/TextChanges';
import { DateInput } from '@portal/ui/form/DateInput';
import { useMemo, useState } from 'react';
import styles from './Legal.module.css';
import { hrefOf } from './legal-words.ts';

type Typed = {
  text: string;
  title: string;
  body: string;
  changes: string;
  /** People it asks, with spaces between them. */
  asks: string;
  renews: boolean;
  graceDays: string;
  blocks: boolean;
  validFrom: string;
  reason: string;
};

const askedIn = (asks: string): Asked[] => askedNames.filter(name => asks.split(' ').includes(name));

const refresh = [legal.getLegalText, legal.listLegalTexts];
const ifEmpty = {
  text: 'Enter a name for its address, such as terms-of-service',
  title: 'Enter a title, such as Terms of service',
  body: 'Enter the text',
  validFrom: 'Enter the day from which it is in force',
  graceDays: 'Enter a number of days, such as 30',
  reason: 'Say why in a few words, such as: decided by the council',
};

const bodyOf = ({ asks, graceDays, title, body, changes, renews, blocks, validFrom, reason }: Typed, edition: number) => ({
  title,
  body,
  changes,
  renews,
  blocks,
  validFrom,
  reason,
  asks: askedIn(asks),
  graceDays: /^\d{1,4}$/.test(graceDays.trim()) ? Number(graceDays) : Number.NaN,
  edition,
});

/** The form of a new text. */
export function NewText() {
  const { notify, router } = useKit();
  const start = useChange(legal.startLegalText, {
    refresh,
    showsErrors: true,
    onDone: ({ text, title }) => {
      notify({ text: `The draft of “${title}” is saved.` });
      router.go(hrefOf(text), { replace: true });
    },
  });
  const [today] = useState(() => utcDay(new Date()));
  const initial: Typed = {
    text: '',
    title: '',
    body: '',
    changes: '',
    asks: '',
    renews: true,
    graceDays: '30',
    blocks: false,
    validFrom: daysAfter(today, 30),
    reason: '',
  };
  const form = useForm(legal.startLegalText.body, initial, {
    name: 'legal-text',
    ifEmpty,
    toBody: values => ({ ...bodyOf(values, 0), text: values.text }),
    change: start,
    send: body => start.mutate({ body }),
  });
  return (
    <Page
      title="New legal text"
      sub="It is a draft until a second person confirms it."
      breadcrumb={<Breadcrumb items={[{ label: pages.deskLegal.title, href: pages.deskLegal.path }, { label: 'New' }]} />}
    >
      <div className={styles.beside}>
        <Sheet title="Draft">
          <Form form={form} label="New legal text">
            <Field label="Name in its address" help="Such as terms-of-service. It can’t be changed later." {...form.field('text')}>
              <TextInput mono spellCheck={false} {...form.input('text')} />
            </Field>
            <DraftFields form={form} isFirst />
            <ButtonRow>
              <Button type="submit" variant="primary" busy={form.busy}>
                Save draft
              </Button>
            </ButtonRow>
          </Form>
        </Sheet>
        <Preview body={form.values.body} />
      </div>
    </Page>
  );
}

/** The draft of the next version of a text, beside how it reads and what changes. */
export function LegalDraftForm({ details, onClose }: { details: LegalTextDetails; onClose: () => void }) {
  const { notify } = useKit();
  const { text, edition, draft, draftBody, latest, today, inForce, coming } = details;
  const from = draft ?? coming ?? inForce;
  const initial: Typed = {
    text,
    title: from?.title ?? details.title,
    body: draft ? draftBody : (latest?.body ?? ''),
    changes: draft?.changes ?? '',
    asks: (from?.asks ?? []).join(' '),
    renews: draft?.renews ?? true,
    graceDays: String(from?.graceDays ?? 30),
    blocks: from?.blocks ?? false,
    validFrom: draft?.validFrom ?? daysAfter(coming?.validFrom ?? today, 30),
    reason: draft?.reason ?? '',
  };
  const save = useChange(legal.saveLegalDraft, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: 'The draft is saved.' });
      onClose();
    },
  });
  const form = useForm(legal.saveLegalDraft.body, initial, {
    name: 'legal-draft',
    ifEmpty,
    toBody: values => bodyOf(values, edition),
    shownElsewhere: ['STALE'],
    change: save,
    send: body => save.mutate({ text, body }),
  });
  return (
    <div className={styles.beside}>
      <Sheet title={draft ? 'Draft' : 'Next version'}>
        <Form form={form} label="Draft of the next version">
          {save.error?.code === 'STALE' && (
            <Banner kind="error" title="Someone else changed this draft.">
              Copy what you need, then load the page again.
            </Banner>
          )}
          <DraftFields form={form} isFirst={latest === null} />
          <ButtonRow>
            <Button type="submit" variant="primary" busy={form.busy}>
              Save draft
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      <Stack gap={16}>
        {latest && form.values.body !== latest.body && (
          <Sheet title={`Changes since version ${latest.version}`}>
            <TextChanges
              before={{ subject: latest.title, body: latest.body }}
              after={{ subject: form.values.title, body: form.values.body }}
            />
          </Sheet>
        )}
        <Preview body={form.values.body} />
      </Stack>
    </div>
  );
}

type DraftForm = Pick<FormValues<Typed>, 'field' | 'input' | 'values' | 'set'>;

function DraftFields({ form, isFirst }: { form: DraftForm; isFirst: boolean }) {
  const { field, input, values, set } = form;
  const asked = askedIn(values.asks);
  return (
    <>
      <Field label="Title" {...field('title')}>
        <TextInput dir="auto" {...input('title')} />
      </Field>
      <Field
        label="Text"
        help="## Heading, - item, 1. step, **strong**, [words](/address). Separate paragraphs by an empty line."
        {...field('body')}
      >
        <TextArea rows={16} dir="auto" {...input('body')} />
      </Field>
      <Field label="What is new" optional help="People who are asked read it first." {...field('changes')}>
        <TextArea rows={2} dir="auto" {...input('changes')} />
      </Field>
      <fieldset className={styles.asks}>
        <legend>Who accepts it</legend>
        {askedNames.map(name => (
          <Checkbox
            key={name}
            checked={asked.includes(name)}
            onChange={({ target }) =>
              set({ asks: askedNames.filter(each => (each === name ? target.checked : asked.includes(each))).join(' ') })
            }
          >
            {askedPeople[name]}
          </Checkbox>
        ))}
      </fieldset>
      {asked.length > 0 && !isFirst && (
        <Checkbox
          checked={values.renews}
          help="Without it, those who accepted the version before aren’t asked again, as for a corrected spelling."
          onChange={({ target }) => set({ renews: target.checked })}
        >
          Everyone accepts it again
        </Checkbox>
      )}
      {asked.some(name => name !== 'applicants') && (
        <>
          <Field label="Days to accept it" help="From its first day." {...field('graceDays')}>
            <TextInput inputMode="numeric" {...input('graceDays')} />
          </Field>
          <Checkbox
            checked={values.blocks}
            help="Changes of whois, routing, reverse DNS and resources. Reading, paying, voting and tickets never wait."
            onChange={({ target }) => set({ blocks: target.checked })}
          >
            After these days, changes wait until it is accepted
          </Checkbox>
        </>
      )}
      <Field label="In force from" {...field('validFrom')}>
        <DateInput {...input('validFrom')} />
      </Field>
      <Field label="Reason" help="For the second person and the list of versions." {...field('reason')}>
        <TextInput dir="auto" {...input('reason')} />
      </Field>
    </>
  );
}

/** The text as people read it. */
export function Preview({ body }: { body: string }) {
  const problem = useMemo(() => problemOfMarkdown(body), [body]);
  return (
    <Sheet title="Preview">
      {problem !== null ? (
        <p>The preview appears once this is fixed: {problem}.</p>
      ) : body.trim() === '' ? (
        <p className="quiet">What you write appears here as people read it.</p>
      ) : (
        <Whole body={body} />
      )}
    </Sheet>
  );
}

export const Whole = ({ body }: { body: string }) => (
  <div className={styles.whole}>
    <TextBlocks blocks={readMarkdown(body).blocks} />
  </div>
);
