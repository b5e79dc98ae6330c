import { FailureBanner, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { problemsOfText, wordsInBraces } from '@portal/contract/mail/mail-text-words';
import { type MailTextDetails, mailTexts } from '@portal/contract/mail/mail-texts';
import { Banner, Button, ButtonRow, Field, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useRef, useState } from 'react';
import { SampleLetter } from './SampleLetter.tsx';
import { waitsForSecondPerson } from './mail-text-words.ts';
import { BesideLetter } from '../shell/Letter.tsx';
import styles from './MailTexts.module.css';

const refresh = [mailTexts.getMailText, mailTexts.listMailTexts];

/** The text beside what people would read, with the words to insert. */
export function MailTextForm({ details }: { details: MailTextDetails }) {
  const { kind, text, words, version } = details;
  const { notify } = useKit();
  const area = useRef<HTMLTextAreaElement>(null);
  const save = useChange(mailTexts.saveMailText, {
    refresh,
    showsErrors: true,
    onDone: () => notify({ text: 'The text is in use from now on.' }),
  });
  const form = useForm(
    mailTexts.saveMailText.body,
    { subject: text.subject, body: text.body, reason: '' },
    {
      name: 'mail-text',
      ifEmpty: { subject: 'Enter a subject', body: 'Enter the text', reason: 'Say why in a few words, such as: our new address' },
      toBody: values => ({ ...values, version }),
      check: values => Object.fromEntries(problemsOfText(values, details).map(({ field, message }) => [field, message])),
      shownElsewhere: ['STALE'],
      change: save,
      send: body => save.mutate({ kind, body }),
    },
  );
  const { field, input, values, set } = form;
  const insert = (word: string): void => {
    const written = area.current;
    if (!written) return;
    // In the element first, so that the caret stays behind the word.
    written.setRangeText(`{${word}}`, written.selectionStart, written.selectionEnd, 'end');
    set({ body: written.value });
    written.focus();
  };
  const isWritten = problemsOfText(values, details).length === 0 && values.subject.trim() !== '' && values.body.trim() !== '';
  const inText = new Set(wordsInBraces(details.program.body));
  const waits = waitsForSecondPerson(values, details);
  return (
    <BesideLetter>
      <Sheet title="Text">
        <Form form={form} label="Text of the mail">
          {save.error?.code === 'STALE' && (
            <Banner kind="error" title="Someone else changed this text.">
              Copy what you need, then load the page again.
            </Banner>
          )}
          <Field label="Subject" {...field('subject')}>
            <TextInput dir="auto" {...input('subject')} />
          </Field>
          <Field
            label="Text"
            help="Separate paragraphs by an empty line. The greeting, the button and the footer are added."
            {...field('body')}
          >
            <TextArea rows={12} dir="auto" ref={area} {...input('body')} />
          </Field>
          <Field
            label="Reason"
            help={waits ? 'A second person reads it, and the versions show it.' : 'The versions show it.'}
            {...field('reason')}
          >
            <TextInput dir="auto" {...input('reason')} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy}>
              {waits ? 'Propose to a second person' : 'Save'}
            </Button>
            {details.isChanged && <UseProgramText details={details} reason={values.reason} />}
          </ButtonRow>
        </Form>
      </Sheet>
      <Stack gap={16}>
        <Sheet title="Preview" meta="With invented values">
          <SampleLetter text={values} words={words} />
        </Sheet>
        <WholeMail kind={kind} text={{ subject: values.subject, body: values.body }} isWritten={isWritten} />
        <Sheet title="Words that are filled in">
          {words.length === 0 ? (
            <p className="quiet">This mail has no words to fill in.</p>
          ) : (
            <ul className={styles.words}>
              {words.map(({ word, about, sample, required }) => (
                <li key={word}>
                  <Button size="s" aria-label={`Insert {${word}}`} onClick={() => insert(word)}>
                    {`{${word}}`}
                  </Button>{' '}
                  {required && (inText.has(word) ? 'Required' : 'Required in the subject')}
                  <p>
                    {about}
                    {sample !== '' && ` For example: ${sample}`}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </Sheet>
      </Stack>
    </BesideLetter>
  );
}

/** The undo: from then on the text of the program is used, also that of later releases. */
function UseProgramText({ details: { kind, version, needsSecondPerson }, reason }: { details: MailTextDetails; reason: string }) {
  const { notify } = useKit();
  const [isAsking, setAsking] = useState(false);
  const undo = useChange(mailTexts.useProgramText, {
    refresh,
    showsErrors: true,
    onDone: () => {
      setAsking(false);
      notify({ text: 'The standard text is in use again.' });
    },
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Use the standard text again…</Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Use the standard text again?"
        act={needsSecondPerson ? 'Propose to a second person' : 'Use the standard text'}
        busy={undo.isPending}
        error={<FailureBanner failure={undo.error} />}
        onAct={() => undo.mutate({ kind, body: { version, reason: reason.trim().length < 3 ? 'Back to the standard text' : reason } })}
      >
        <p>The mail uses the standard text from now on, and its changes in later releases. Your text stays among the versions.</p>
      </ConfirmDialog>
    </>
  );
}

/** The whole mail as text, with the names of an account, and a test of it. */
function WholeMail({ kind, text, isWritten }: { kind: string; text: { subject: string; body: string }; isWritten: boolean }) {
  const { notify } = useKit();
  const [accountName, setAccountName] = useState('');
  const preview = useChange(mailTexts.previewMailText, { showsErrors: true });
  const test = useChange(mailTexts.sendTestMail, {
    showsErrors: true,
    onDone: ({ address }) => notify({ text: `A test is on its way to ${address}.` }),
  });
  const refusal = isWritten ? null : { reason: 'Fix the text first.' };
  return (
    <Sheet title="Whole mail">
      <Stack gap={12}>
        <FailureBanner failure={preview.error ?? test.error} />
        <Field label="Account" optional help="Its names are filled in.">
          <TextInput value={accountName} maxLength={60} spellCheck={false} onChange={({ target }) => setAccountName(target.value)} />
        </Field>
        <ButtonRow>
          <Button
            busy={preview.isPending}
            refusal={refusal}
            refusalIn="note"
            onClick={() =>
              preview.mutate({ kind, body: { ...text, ...(accountName.trim() !== '' && { accountName: accountName.trim() }) } })
            }
          >
            Show the whole mail
          </Button>
          <Button icon="mail" busy={test.isPending} refusal={refusal} refusalIn="note" onClick={() => test.mutate({ kind, body: text })}>
            Send a test to me
          </Button>
        </ButtonRow>
        {preview.data && <pre className={styles.plain}>{`Subject: ${preview.data.subject}\n\n${preview.data.text}`}</pre>}
      </Stack>
    </Sheet>
  );
}
