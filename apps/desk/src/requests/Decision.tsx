import type { KitRefusal } from '@portal/app-kit';
import { Banner, Button, ButtonRow, type ButtonVariant, Field, Stack, TextArea } from '@portal/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';

/** Something staff can do with a request: what it is called, what it does, and the words the member reads. */
export type Act = {
  name: string;
  label: string;
  variant: ButtonVariant;
  /** What happens then, in a sentence or two. */
  consequence: string;
  /** The words for the member; left out where there are none to write. `needed`: what is wrong with none. */
  words?: { label: string; needed?: string; most?: number };
  /** Why it cannot be done as things are. */
  why?: string | null;
  busy: boolean;
  send: (words: string) => void;
};

/** The buttons under a request, and the last look before one of them is meant: what it does, and the words that go with it. */
export function Decision({ acts, refusal, overtaken }: { acts: readonly Act[]; refusal: KitRefusal | null; overtaken: string | null }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const act = acts.find(({ name }) => name === chosen);
  return (
    <Stack gap={12}>
      {overtaken && <Banner kind="warning">{overtaken}</Banner>}
      {act ? (
        <WordsForm act={act} onClose={() => setChosen(null)} />
      ) : (
        acts.length > 0 && (
          <ButtonRow>
            {acts.map(each => (
              <Button
                key={each.name}
                variant={each.variant === 'commit' ? 'primary' : each.variant === 'danger' ? 'default' : each.variant}
                refusal={refusal ?? (each.why ? { reason: each.why } : null)}
                refusalIn={each.why ? undefined : 'note'}
                busy={each.busy}
                onClick={() => (each.words ? setChosen(each.name) : each.send(''))}
              >
                {each.label}
              </Button>
            ))}
          </ButtonRow>
        )
      )}
    </Stack>
  );
}

function WordsForm({ act, onClose }: { act: Act; onClose: () => void }) {
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { label, needed, most = 500 } = act.words!;
  const field = useRef<HTMLTextAreaElement>(null);
  // The button that was pressed is gone.
  useEffect(() => field.current?.focus(), []);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (act.busy) return;
    if (needed && words.trim() === '') setProblem(needed);
    else act.send(words.trim());
  };
  return (
    <form onSubmit={send} noValidate aria-label={act.label}>
      <Stack gap={8}>
        <p className="small">{act.consequence}</p>
        <Field label={label} optional={!needed} help="It is mailed with the decision." error={problem}>
          <TextArea
            ref={field}
            rows={3}
            maxLength={most}
            value={words}
            onChange={event => {
              setWords(event.target.value);
              setProblem(null);
            }}
          />
        </Field>
        <ButtonRow>
          <Button type="submit" variant={act.variant} busy={act.busy}>
            {act.label}
          </Button>
          <Button onClick={onClose}>Go back</Button>
        </ButtonRow>
      </Stack>
    </form>
  );
}
