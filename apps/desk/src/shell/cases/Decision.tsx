import type { KitRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type FormSchema, useForm } from '@portal/app-kit/form/use-form';
import { Banner, Button, ButtonRow, type ButtonVariant, Field, Select, Stack, TextArea } from '@portal/ui';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { InsertTemplate } from '../InsertTemplate.tsx';
import styles from './Case.module.css';
import { unlisted, useDeskKeys } from './desk-keys.ts';
import { Key } from './Key.tsx';
import { type Passed, useOpenCase } from './open-case.ts';

/** Something staff can do with a request: what it is called, what it does, and the words the member reads. */
export type Act = {
  name: string;
  /** Its letter, where that isn’t the one of its name. */
  letter?: string;
  label: string;
  variant: ButtonVariant;
  /** Its effect, in a sentence or two. */
  consequence: string;
  /** The words for the member; left out where there are none to write. */
  words?: {
    label: string;
    /** The call that takes them, and their field in its body. */
    body: FormSchema;
    /** The rest of the body, such as the version that was read. */
    rest?: object | undefined;
    field: 'reason' | 'note' | 'question';
    /** Error for an empty field; without it the field is optional. */
    needed?: string;
  };
  /** Parties that the words can go to, where the case has two: the field `to` of the body. */
  addressees?: readonly { value: string; label: string }[] | null;
  /** Why it cannot be done as things are. */
  why?: string | null;
  /** Where its letter leads instead of its button, if that is elsewhere on the page. */
  leads?: (() => void) | undefined;
  busy: boolean;
  /** @param to one of `addressees`; empty without them */
  send: (words: string, to: string) => void;
};

/** The letters of acts, by their name, in the order of their buttons: what is meant most often is at the end of the bar. */
const keys: Readonly<Record<string, string>> = { review: 't', refuse: 'r', ask: 'q', approve: 'a' };
const letterOf = ({ name, letter }: Act): string | undefined => letter ?? keys[name];
const placeOf = ({ name }: Act): number => Object.keys(keys).indexOf(name);

/** Letters that decide a case: where they can’t, they say who has the next move. */
const deciding = ['a', 'r', 'q'];
/** Effects of letters that aren’t those of every case, for the list of keys. */
const wordsOf = (acts: readonly Act[]): Readonly<Record<string, string>> =>
  Object.fromEntries(acts.flatMap(({ letter, label }) => (letter ? [[letter, label]] : [])));

/** Handles the letters of the acts, and those that decide where nothing can be decided. */
function useLetters(acts: readonly Act[], press: (act: Act) => void, onNoAct: (() => void) | null): void {
  const letters = new Map(acts.flatMap(each => (letterOf(each) ? [[letterOf(each)!, () => press(each)]] : [])));
  const missing = onNoAct ? deciding.filter(letter => !letters.has(letter)) : [];
  useDeskKeys(
    { ...Object.fromEntries(letters), ...Object.fromEntries(missing.map(letter => [letter, onNoAct])) },
    { ...wordsOf(acts), ...Object.fromEntries(missing.map(letter => [letter, unlisted])) },
  );
}

const passedWords: Readonly<Record<Passed, string>> = {
  decided: 'Decided.',
  asked: 'Sent. The member has the next move.',
  proposed: 'Approved by you. A second person confirms it.',
};

/** Tells the page how high the bar at its end is, so that messages appear above it and not over its buttons. */
function useBarHeight(bar: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const element = bar.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() =>
      style.setProperty('--end-bar', getComputedStyle(element).position === 'sticky' ? `${element.offsetHeight}px` : '0px'),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--end-bar');
    };
  }, [bar, isShown]);
}

/**
 * The acts of a case in a bar that stays on the screen, and the last look before one of them is meant: what it does, and the words that go with it. After a decision the way to the
 * next case has the focus.
 * @param about what is decided
 */
export function Decision({
  acts,
  refusal,
  overtaken,
  about,
}: {
  acts: readonly Act[];
  refusal: KitRefusal | null;
  overtaken: string | null;
  about?: ReactNode;
}) {
  const { next, passed, onNoAct } = useOpenCase();
  const [chosen, setChosen] = useState<string | null>(null);
  const bar = useRef<HTMLElement>(null);
  const found = acts.find(({ name }) => name === chosen);
  // What became impossible while it was meant, such as an approval that now waits for a second person, is shown as such.
  const act = found?.why ? undefined : found;
  const buttonOf = (name: string) => bar.current?.querySelector<HTMLElement>(`[data-act="${name}"]`);
  // A letter opens the form of its act or leads to its button: a slip of the hand on the keyboard never decides. It leads back to the form that is open, too. To take a case decides nothing.
  const press = (each: Act) => {
    if (each.leads) each.leads();
    else if (act) {
      if (act.name === each.name) bar.current?.querySelector('textarea')?.focus();
    } else if (refusal || each.why || each.busy) buttonOf(each.name)?.focus();
    else if (each.words) setChosen(each.name);
    else if (each.name === 'review') each.send('', '');
    else buttonOf(each.name)?.focus();
  };
  useLetters(acts, press, onNoAct);
  const close = (name: string) => {
    setChosen(null);
    // The button is back when the form is gone.
    requestAnimationFrame(() => buttonOf(name)?.focus());
  };
  const stoppedAct = found?.why ? found.name : null;
  // Its form is gone with the field that had the focus: the button says why.
  useEffect(() => {
    if (stoppedAct !== null && document.activeElement === document.body)
      bar.current?.querySelector<HTMLElement>(`[data-act="${stoppedAct}"]`)?.focus();
  }, [stoppedAct]);
  const [wasPassed, setWasPassed] = useState(passed);
  if (passed !== wasPassed) {
    setWasPassed(passed);
    setChosen(null);
  }
  useEffect(() => {
    if (passed) bar.current?.querySelector<HTMLElement>('[data-next]')?.focus();
  }, [passed]);
  // An act that was done, such as taking the case, may take its button with it: what comes next has the focus.
  const offered = acts.map(({ name }) => name).join(' ');
  const wasOffered = useRef(offered);
  useEffect(() => {
    if (wasOffered.current === offered) return;
    wasOffered.current = offered;
    if (document.activeElement === document.body) bar.current?.querySelector<HTMLElement>('[data-next], [data-act="approve"]')?.focus();
  }, [offered]);
  const isShown = (acts.length > 0 && !refusal?.hides) || overtaken !== null || (passed !== null && next !== null);
  useBarHeight(bar, isShown);
  if (!isShown) return null;
  return (
    <section ref={bar} className={styles.decide} aria-label="Decision">
      {overtaken && <Banner kind="warning">{overtaken}</Banner>}
      {act ? (
        <WordsForm act={act} onClose={() => close(act.name)} />
      ) : (
        <div className={styles.decideLine}>
          <div className={styles.about}>
            {passed
              ? `${passedWords[passed]} ${next ? 'The next case of the queue is one key away.' : 'It was the last of the queue.'}`
              : about}
          </div>
          <ButtonRow>
            {acts
              .toSorted((one, other) => placeOf(one) - placeOf(other))
              .map(each => (
                <Button
                  key={each.name}
                  variant={each.variant !== 'commit' ? each.variant : passed ? 'default' : each.words ? 'primary' : 'commit'}
                  refusal={refusal ?? (each.why ? { reason: each.why } : null)}
                  refusalIn="note"
                  busy={each.busy}
                  data-act={each.name}
                  aria-keyshortcuts={letterOf(each)}
                  onClick={() => (each.words ? setChosen(each.name) : each.send('', ''))}
                >
                  {each.label} {letterOf(each) && <Key name={letterOf(each)!} />}
                </Button>
              ))}
            {passed && next && (
              <Button variant="primary" data-next="" onClick={next}>
                Next case <Key name="j" />
              </Button>
            )}
          </ButtonRow>
        </div>
      )}
    </section>
  );
}

function WordsForm({ act, onClose }: { act: Act; onClose: () => void }) {
  const { label, body, rest, field, needed } = act.words!;
  const { addressees } = act;
  const form = useForm(
    body,
    { [field]: '', to: '' },
    {
      name: act.name,
      toBody: ({ to, ...values }) => ({ ...rest, ...values, ...(to && { to }) }),
      ifEmpty: { [field]: needed },
      // Which party reads it is never chosen by default.
      check: ({ to }) => ({ to: addressees && !to ? 'Choose who reads it' : undefined }),
      change: { error: null, isPending: act.busy, reset: () => undefined },
      send: (_, values) => act.send((values[field] ?? '').trim(), values.to ?? ''),
    },
  );
  const control = useRef<HTMLTextAreaElement>(null);
  // The button that was pressed is gone.
  useEffect(() => control.current?.focus(), []);
  return (
    <Form form={form} label={act.label} bare onClose={onClose}>
      <Stack gap={8}>
        <FormProblems form={form} />
        <p className="small">{act.consequence}</p>
        {addressees && (
          <Field label="To" {...form.field('to')}>
            <Select {...form.input('to')} options={[{ value: '', label: 'Choose' }, ...addressees]} />
          </Field>
        )}
        <InsertTemplate text={form.values[field] ?? ''} onInsert={text => form.set({ [field]: text })} />
        <Field label={label} optional={!needed} help="It’s included in the e-mail." {...form.field(field)}>
          <TextArea ref={control} rows={3} {...form.input(field)} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant={act.variant} busy={act.busy}>
            {act.label}
          </Button>
          <Button onClick={onClose}>Go back</Button>
        </ButtonRow>
      </Stack>
    </Form>
  );
}
