import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { actMarks, objectWords } from '@portal/app-kit/words/planned-effects';
import type { ObjectPlan, RequestForm } from '@portal/contract/requests/request-form';
import type { PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { objectInWords } from '@portal/contract/requests/request-words';
import { Button, formatCount, KindMark, type ResourceKind, Segmented, Sheet, StateMark } from '@portal/ui';
import { Fragment, useMemo, useState } from 'react';
import styles from './MovePlan.module.css';
import { actOf, checksOf, isNamed, type PlanCheck } from './plan-check.ts';

type Plans = RequestForm['plans'];
type Act = PlannedEffect['act'];

/** The parts of a plan, in the order of the page. */
const groups: readonly { title: string; kinds: readonly PlannedEffect['what'][] }[] = [
  { title: 'Account', kinds: ['account'] },
  { title: 'Delegations', kinds: ['delegation'] },
  { title: 'Assignments', kinds: ['registration'] },
  { title: 'Routes and ROAs', kinds: ['roa', 'aspa', 'route'] },
  { title: 'Reverse zones', kinds: ['reverse'] },
  { title: 'Whois objects', kinds: ['whois'] },
  { title: 'Contacts', kinds: ['contact'] },
  { title: 'Geofeed', kinds: ['geofeed'] },
];
/** Going over is what this case is about; an end can’t be undone. */
const tones = { move: 'accent', hold: undefined, end: 'danger' } as const;
const planWords: Record<ObjectPlan, string> = { move: 'Move', end: 'End', hold: 'Hold' };

/** Whether an object is described by the name of its class alone, which its kind says already. */
const isOwnName = ({ what, today }: PlannedEffect): boolean => (what === 'route' || what === 'reverse') && /^(route6?|domain)$/.test(today);

/** Rows that are listed first; the rest on demand. */
const SHOWN = 60;

/**
 * The plan for everything that uses the space: what is there, whether it moves, ends or is held, what happens on completion, and what it needs before. `onPlan`: the plan for each object can be chosen. @param holdDays days
 * for which held objects are handed over
 */
export function MovePlan({
  plan,
  holdDays,
  asks,
  onPlan,
}: {
  plan: TransferPlan;
  holdDays: number;
  /** Name of the file that the plan is saved as. */
  asks: string;
  onPlan?: (change: (before: Plans) => Plans) => void;
}) {
  const [all, setAll] = useState(false);
  const checkOf = useMemo(() => {
    const check = checksOf(plan.announcements);
    return (effect: PlannedEffect) => check({ ...effect, act: actOf(effect) });
  }, [plan.announcements]);
  if (plan.moves.length === 0) return null;
  // The end of an account is never among the rest.
  const effects = plan.effects.toSorted((one, other) => Number(other.what === 'account') - Number(one.what === 'account'));
  const choosable = onPlan !== undefined && effects.some(({ plan: chosen }) => chosen !== null);
  const choose = ({ what, name }: PlannedEffect, act: ObjectPlan): void =>
    onPlan?.(before => [
      ...before.filter(each => each.what !== what || each.name !== name),
      { what: what as Plans[number]['what'], name, act },
    ]);
  const toDo = effects.filter(effect => checkOf(effect).needs).length;
  const shown = all ? effects : effects.slice(0, SHOWN);
  return (
    <Sheet
      title="Plan"
      flush
      meta={<Sum effects={effects} />}
      actions={
        <>
          {toDo > 0 && (
            <StateMark state="warning" plain>
              {toDo === 1 ? '1 needs attention' : `${formatCount(toDo)} need attention`}
            </StateMark>
          )}
          {choosable && (
            <Button size="s" onClick={() => onPlan(() => [])}>
              Suggested plan
            </Button>
          )}
          <Button size="s" icon="download" onClick={() => saveTextFile(`${asks}-plan.csv`, csvOf(effects, checkOf))}>
            Export plan
          </Button>
        </>
      }
    >
      {choosable && <Legend holdDays={holdDays} />}
      <table className={styles.plan} aria-label="Plan for each object">
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Today</th>
            <th scope="col">Plan</th>
            <th scope="col">On completion</th>
            <th scope="col">Check</th>
          </tr>
        </thead>
        {groups.map(({ title, kinds }) => {
          const rows = shown.filter(({ what }) => kinds.includes(what));
          if (rows.length === 0) return null;
          return (
            <tbody key={title}>
              <tr className={styles.group}>
                <th colSpan={5} scope="rowgroup">
                  {title} <span className="quiet">{formatCount(effects.filter(({ what }) => kinds.includes(what)).length)}</span>
                </th>
              </tr>
              {rows.map(effect => (
                <EffectRow
                  key={`${effect.what} ${effect.name} ${effect.today}`}
                  effect={effect}
                  check={checkOf(effect)}
                  {...(onPlan && { onChoose: act => choose(effect, act) })}
                />
              ))}
            </tbody>
          );
        })}
      </table>
      {(shown.length < effects.length || plan.more > 0) && (
        <p className={styles.more}>
          {shown.length < effects.length && (
            <Button size="s" onClick={() => setAll(true)}>
              Show all {formatCount(effects.length)}
            </Button>
          )}
          {plan.more > 0 && <span className="small quiet">And {formatCount(plan.more)} more that are not listed</span>}
        </p>
      )}
    </Sheet>
  );
}

/** How many objects move, end, change or are held: drawn, and in words. */
function Sum({ effects }: { effects: readonly PlannedEffect[] }) {
  const counts = (['moves', 'holds', 'changes', 'ends'] as const).flatMap(act => {
    const count = effects.filter(effect => actOf(effect) === act).length;
    return count === 0 ? [] : [{ act, count }];
  });
  return (
    <>
      <span className={styles.sum} aria-hidden="true">
        {effects.slice(0, 24).map(effect => (
          <i key={`${effect.what} ${effect.name} ${effect.today}`} data-act={actOf(effect)} />
        ))}
      </span>
      <span>
        {counts.map(({ act, count }, index) => (
          <Fragment key={act}>
            {index > 0 && ', '}
            <b>{formatCount(count)}</b> {countWords[act](count)}
          </Fragment>
        ))}
        , all in one step on completion
      </span>
    </>
  );
}

/** The words of the plans that can be chosen. */
const Legend = ({ holdDays }: { holdDays: number }) => (
  <dl className={styles.explained}>
    <div>
      <dt>Move</dt>
      <dd>The recipient has it from completion on.</dd>
    </div>
    <div>
      <dt>Hold</dt>
      <dd>The recipient has it for {holdDays} days. Then it ends, unless the recipient keeps it.</dd>
    </div>
    <div>
      <dt>End</dt>
      <dd>It’s deleted on completion. That can’t be undone.</dd>
    </div>
    <div>
      <dt>Replace</dt>
      <dd>The block names the recipient’s contacts instead. Yours stay as they are.</dd>
    </div>
  </dl>
);

/** Objects that are numbers themselves, or begin with some. */
const marked: readonly PlannedEffect['what'][] = ['delegation', 'registration', 'route', 'roa', 'aspa'];
const kindOf = (name: string): ResourceKind => (/^AS/i.test(name) ? 'asn' : name.includes(':') ? 'ipv6' : 'ipv4');

/** A sentence with its prefixes, addresses and AS numbers as a machine reads them. */
function Numbers({ text }: { text: string }) {
  return text.split(/(\bAS\d+\b|\b[\d.]{7,}(?:\/\d+)?\b|\b[\da-f]+:[\da-f:]*\/\d+)/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no names
      <span key={place} className="mono">
        {part}
      </span>
    ),
  );
}

/** One object. `onChoose`: its plan can be chosen. */
function EffectRow({ effect, check, onChoose }: { effect: PlannedEffect; check: PlanCheck; onChoose?: (act: ObjectPlan) => void }) {
  return (
    <tr data-act={actOf(effect)}>
      <th scope="row">
        <span className="mono">
          {marked.includes(effect.what) && <KindMark kind={kindOf(effect.name)} />}
          {objectInWords(effect.name)}
        </span>
      </th>
      <td className="quiet">
        {objectWords[effect.what]}
        {isOwnName(effect) ? '' : `: ${effect.today}`}
      </td>
      <td>
        {onChoose && effect.plan !== null ? (
          <Segmented
            label={`Plan for ${objectInWords(effect.name)}`}
            value={effect.plan}
            options={(['move', 'hold', 'end'] as const).map(value =>
              isNamed(effect.what) && value === 'end'
                ? { value, label: 'Replace' }
                : { value, label: planWords[value], tone: tones[value] },
            )}
            onChange={onChoose}
          />
        ) : (
          <StateMark state={actMarks[actOf(effect)].state}>{actMarks[actOf(effect)].words}</StateMark>
        )}
      </td>
      <td>
        <Numbers text={effect.on} />
      </td>
      <td>
        <StateMark state={check.state} plain={!check.needs}>
          {check.words}
        </StateMark>
      </td>
    </tr>
  );
}

const countWords: Record<Act, (count: number) => string> = {
  moves: count => (count === 1 ? 'moves' : 'move'),
  holds: count => (count === 1 ? 'is held' : 'are held'),
  changes: count => (count === 1 ? 'changes' : 'change'),
  ends: count => (count === 1 ? 'ends' : 'end'),
  stays: count => (count === 1 ? 'stays' : 'stay'),
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The plan as lines of a spreadsheet. */
const csvOf = (effects: readonly PlannedEffect[], checkOf: (effect: PlannedEffect) => PlanCheck): string =>
  ['object,kind,today,plan,on completion,check']
    .concat(
      effects.map(effect =>
        [
          objectInWords(effect.name),
          objectWords[effect.what],
          effect.today,
          actMarks[actOf(effect)].words,
          effect.on,
          checkOf(effect).words,
        ]
          .map(quoted)
          .join(','),
      ),
    )
    .join('\n');
