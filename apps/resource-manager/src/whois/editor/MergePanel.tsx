import type { WhoisObject } from '@portal/contract/whois/whois';
import { mergeObjects, type MergeConflict, parseObject, printObject } from '@portal/rpsl';
import { Banner, Button, Grid, Row, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { Difference } from '../text/Difference.tsx';
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

/** Two people changed one object: both changes, merged where possible, with a choice for each conflict. */
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
      title="Someone else changed this object"
      meta={`Now at version ${theirs.version}`}
      footer={
        <Row gap={8} wrap>
          {outcome && (
            <Button
              variant="primary"
              refusal={open > 0 ? { reason: open === 1 ? 'Resolve one line first' : `Resolve ${open} lines first` } : null}
              onClick={apply}
            >
              Merge
            </Button>
          )}
          <Button variant="quiet" onClick={onDrop}>
            Use theirs, discard mine
          </Button>
        </Row>
      }
    >
      <Stack gap={16}>
        <Banner kind={conflicts.length > 0 ? 'warning' : 'info'}>
          {!outcome
            ? 'Your text isn’t a valid object yet, so the changes can’t be merged. Fix it first.'
            : conflicts.length === 0
              ? 'No conflicts: the changes are on different lines.'
              : 'You both changed the same lines. Choose one for each. All other changes are kept.'}
        </Banner>
        <Grid columns={2}>
          <div>
            <h3 className={styles.head}>Their changes</h3>
            <Difference before={base} after={theirs.text} label="Their changes" unified />
          </div>
          <div>
            <h3 className={styles.head}>Your changes</h3>
            <Difference before={base} after={mine} label="Your changes" unified />
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
          'is new in both'
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
          <span>{word}:</span> {text === null ? <span className="quiet">line removed</span> : <span className="mono">{text}</span>}
        </label>
      ))}
    </fieldset>
  );
}
