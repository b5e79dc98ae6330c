import type { WhoisObject } from '@portal/contract/whois/whois';
import { mergeObjects, type MergeConflict, parseObject, printObject } from '@portal/rpsl';
import { Banner, Button, Grid, Row, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { Difference } from './Difference.tsx';
import { mergeByChoice, type Side } from './merge-choice.ts';
import styles from './MergePanel.module.css';

type Props = {
  /** The text both began with. */
  base: string;
  mine: string;
  theirs: WhoisObject;
  onApply: (merged: string) => void;
  onDrop: () => void;
};

/** Two people changed one object: both changes, what fits together, and a choice where it does not. */
export function MergePanel({ base, mine, theirs, onApply, onDrop }: Props) {
  const [choices, setChoices] = useState<readonly (Side | undefined)[]>([]);
  const [from, my, their] = [parseObject(base).object, parseObject(mine).object, parseObject(theirs.text).object];
  const outcome = from && my && their ? mergeObjects(from, my, their) : null;
  const conflicts = outcome?.conflicts ?? [];
  const open = conflicts.filter((_conflict, index) => choices[index] === undefined).length;
  const apply = () => {
    if (!from || !my || !their || !outcome) return;
    onApply(printObject(outcome.merged ?? mergeByChoice(from, my, their, { conflicts, choices })));
  };
  return (
    <Sheet
      title="Somebody else changed it meanwhile"
      meta={`It is version ${theirs.version} now`}
      footer={
        <Row gap={8} wrap>
          {outcome && (
            <Button
              variant="primary"
              refusal={open > 0 ? { reason: open === 1 ? 'Choose for one line first' : `Choose for ${open} lines first` } : null}
              onClick={apply}
            >
              Put both together
            </Button>
          )}
          <Button variant="quiet" onClick={onDrop}>
            Take theirs, drop mine
          </Button>
        </Row>
      }
    >
      <Stack gap={16}>
        <Banner kind={conflicts.length > 0 ? 'warning' : 'info'}>
          {!outcome
            ? 'Your text is no object yet, so the changes cannot be put together. Mend it first.'
            : conflicts.length === 0
              ? 'Both changes fit together: they touch different lines.'
              : 'Both of you changed the same lines. Choose for each; all other changes are taken from both.'}
        </Banner>
        <Grid columns={2}>
          <div>
            <h3 className={styles.head}>What they changed</h3>
            <Difference before={base} after={theirs.text} label="What they changed" unified />
          </div>
          <div>
            <h3 className={styles.head}>What you changed</h3>
            <Difference before={base} after={mine} label="What you changed" unified />
          </div>
        </Grid>
        {conflicts.map((conflict, index) => (
          <Choice
            key={`${conflict.attribute} ${conflict.base} ${conflict.mine}`}
            conflict={conflict}
            value={choices[index]}
            onChange={side => setChoices(Array.from({ length: conflicts.length }, (_, at) => (at === index ? side : choices[at])))}
          />
        ))}
      </Stack>
    </Sheet>
  );
}

function Choice({ conflict, value, onChange }: { conflict: MergeConflict; value: Side | undefined; onChange: (side: Side) => void }) {
  const { attribute, base, mine, theirs } = conflict;
  const name = `${attribute} ${base}`;
  return (
    <fieldset className={styles.choice}>
      <legend>
        <span className="mono">{attribute}</span>{' '}
        {base === null ? (
          'is new on both sides'
        ) : (
          <>
            was <span className="mono">{base}</span>
          </>
        )}
      </legend>
      {(
        [
          ['theirs', 'Theirs', theirs],
          ['mine', 'Mine', mine],
        ] as const
      ).map(([side, word, text]) => (
        <label key={side}>
          <input type="radio" name={name} checked={value === side} onChange={() => onChange(side)} />
          <span>{word}:</span> {text === null ? <span className="quiet">the line is taken out</span> : <span className="mono">{text}</span>}
        </label>
      ))}
    </fieldset>
  );
}
