import { type CallInput, FailureBanner, type ServiceFailure, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { Endpoint } from '@portal/contract';
import {
  massDeletion,
  type RouteChangeDetails,
  type RouteChanges,
  type RouteCheck,
  routes,
  undoHours,
} from '@portal/contract/routes/routes';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { printAsNumber } from '@portal/number-resources';
import {
  Banner,
  Button,
  ButtonRow,
  DateText,
  Disclosure,
  Field,
  formatCount,
  Panel,
  ResourceName,
  SkeletonLines,
  Stack,
  StateMark,
  TextInput,
} from '@portal/ui';
import { useEffect, useRef } from 'react';
import { ConfirmEffect } from './ConfirmEffect.tsx';
import { Coverage } from './Coverage.tsx';
import styles from './Routes.module.css';
import { detailsPath, kindOf, validityWords } from './route-words.ts';

export const routeReads: readonly Endpoint[] = [routes.listRoutes, routes.listChanges, routes.getChange];
export const noChanges: RouteChanges = { add: [], change: [], remove: [], adopt: [], text: '' };

const plural = (count: number, one: string, more = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : more}`;

/** Describes a change itself: the first routes that it adds, and how many it changes and deletes. */
function actsIn({ add = [], change = [], remove = [], adopt = [], text = '' }: CallInput<typeof routes.saveRoutes>['body']): string {
  const named = [...add, ...adopt].map(({ prefix, asn }) => `${prefix} ${asn}`);
  const more = named.length > 5 ? ` and ${formatCount(named.length - 5)} more` : '';
  return [
    named.length > 0 && `Add ${named.slice(0, 5).join(', ')}${more}.`,
    change.length > 0 && `Change ${plural(change.length, 'route')}.`,
    remove.length > 0 && `Delete ${plural(remove.length, 'route')}.`,
    text !== '' && `Import ${plural(text.trim().split('\n').length, 'line')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

type ReviewProps = {
  changes: RouteChanges;
  title?: string;
  /** Further answers that a saved change makes out of date. */
  alsoRefresh?: typeof routeReads;
  /** Gets the problems, for a form that shows them at its fields. */
  onProblems?: (problems: RouteCheck['problems']) => void;
  onSaved: (saved: RouteChangeDetails) => void;
  onCancel: () => void;
};

/** Shows the effects of a change, which the registry calculates again after each edit, and the button that saves it. */
export function ChangeReview({ changes, title = 'Before you save', alsoRefresh = [], onProblems, onSaved, onCancel }: ReviewProps) {
  const refusal = useRefusal(routes.saveRoutes);
  const { checking, checkAgain } = useCheck(changes, onProblems);
  const check = checking.data;
  const wrong = check ? check.problems.length > 0 : true;
  const { form, save, needsInvalid, needsRemoving } = useSaving(changes, check, { alsoRefresh, onSaved, onCancel });
  const isEmpty = check?.counts.routes === 0;
  return (
    <Form form={form} label={title} bare>
      <Panel
        title={title}
        pending
        footer={
          <ButtonRow>
            <Button
              type="submit"
              variant={needsInvalid || (check?.counts.removed ?? 0) > 0 ? 'danger' : 'commit'}
              busy={form.busy}
              refusal={
                refusal ??
                (wrong
                  ? { reason: check ? 'Fix the problems first' : 'The effect isn’t known yet' }
                  : isEmpty
                    ? { reason: 'There is nothing to save' }
                    : null)
              }
              refusalIn="note"
            >
              {check && !wrong && !isEmpty ? nameOfSaving(check.counts) : 'Save'}
            </Button>
            <Button onClick={onCancel}>Cancel</Button>
          </ButtonRow>
        }
      >
        <Stack gap={12}>
          {checking.isPending && <SkeletonLines lines={4} label="Checking the effect" />}
          <FailureBanner failure={checking.error} onRetry={checkAgain} />
          {save.error?.code === 'STALE' && (
            <Stale
              failure={save.error}
              onAgain={() => {
                save.reset();
                checkAgain();
              }}
            />
          )}
          <FormProblems form={form} />
          {check && <Problems check={check} />}
          {check && !wrong && <Written check={check} />}
          {check && !wrong && <Effect check={check} />}
          {check && needsInvalid && (
            <ConfirmEffect effect={check.effect} field={form.field('invalidating')} input={form.input('invalidating')} />
          )}
          {check && needsRemoving && (
            <Field
              label={`Type ${check.counts.removed} to delete ${check.counts.removed} routes`}
              help={`You can undo it for ${undoHours} hours.`}
              {...form.field('removing')}
            >
              <TextInput mono inputMode="numeric" {...form.input('removing')} />
            </Field>
          )}
        </Stack>
      </Panel>
    </Form>
  );
}

/** The effect of changes, asked for whenever they are others. */
function useCheck(changes: RouteChanges, onProblems: ((problems: RouteCheck['problems']) => void) | undefined) {
  const { accountName: account } = useAccount();
  const checking = useChange(routes.checkRoutes, { showsErrors: true, onDone: ({ problems }) => onProblems?.(problems) });
  const wanted = JSON.stringify(changes);
  const asked = useRef('');
  const { mutate: ask } = checking;
  useEffect(() => {
    if (asked.current === wanted) return;
    asked.current = wanted;
    ask({ account, body: JSON.parse(wanted) as RouteChanges });
  }, [ask, account, wanted]);
  return { checking, checkAgain: () => ask({ account, body: changes }) };
}

/** The form that saves a checked change. Large numbers have to be typed: of announcements that become invalid, and of routes that are deleted. */
function useSaving(
  changes: RouteChanges,
  check: RouteCheck | undefined,
  { alsoRefresh = [], onSaved, onCancel }: Pick<ReviewProps, 'alsoRefresh' | 'onSaved' | 'onCancel'>,
) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const save = useChange(routes.saveRoutes, {
    act: ({ body }) => ({ name: 'Save routes', effect: actsIn(body) }),
    refresh: [...routeReads, ...alsoRefresh],
    showsErrors: true,
    onDone(saved) {
      notify({
        text: `${saved.summary}. You can undo it for ${undoHours} hours.`,
        link: { href: `${detailsPath}?id=${saved.changeId}`, label: 'See the changes' },
      });
      onSaved(saved);
    },
    onProposed: onCancel,
  });
  const needsInvalid = check !== undefined && check.effect.toConfirm > 0;
  const needsRemoving = check !== undefined && check.counts.removed >= massDeletion;
  const form = useForm(
    routes.saveRoutes.body,
    { invalidating: '', removing: '' },
    {
      name: 'saving',
      toBody: typed => ({
        ...changes,
        version: check?.version ?? '',
        ...(needsInvalid && { invalidating: Number(typed.invalidating) }),
        ...(needsRemoving && { removing: Number(typed.removing) }),
      }),
      check: typed => ({
        ...(needsInvalid &&
          typed.invalidating.trim() !== String(check.effect.toConfirm) && { invalidating: `Type ${check.effect.toConfirm} to confirm` }),
        ...(needsRemoving &&
          typed.removing.trim() !== String(check.counts.removed) && { removing: `Type ${check.counts.removed} to confirm` }),
      }),
      shownElsewhere: ['STALE'],
      change: save,
      send: body => save.mutate({ account, body }),
    },
  );
  return { form, save, needsInvalid, needsRemoving };
}

/** Someone else saved a change in the meantime: what it was, and how to continue. */
function Stale({ failure, onAgain }: { failure: ServiceFailure; onAgain: () => void }) {
  const { changes = [] } = (failure.current ?? {}) as { changes?: RouteChangeDetails[] };
  return (
    <Banner
      kind="warning"
      title="The routes were changed meanwhile."
      actions={
        <Button size="s" icon="refresh" onClick={onAgain}>
          Check again
        </Button>
      }
    >
      {changes.length === 0 ? (
        'ROAs of this account were changed outside of its routes.'
      ) : (
        <ul className={styles.list}>
          {changes.map(({ changeId, madeBy, madeAt, summary, items }) => (
            <li key={changeId}>
              <span>
                {madeBy} on <DateText value={madeAt} />: {summary}
              </span>
              <span className="mono quiet">
                {items
                  .slice(0, 5)
                  .map(({ before, after }) => `${(after ?? before)!.prefix} ${printAsNumber((after ?? before)!.asn)}`)
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

function Problems({ check: { problems } }: { check: RouteCheck }) {
  if (problems.length === 0) return null;
  return (
    <div>
      <Banner kind="warning">
        This can’t be saved yet. {plural(problems.length, 'problem')} below. Nothing is saved until all are fixed.
      </Banner>
      <ul className={styles.list} aria-label="Problems">
        {problems.map(({ list, index, field, route, problem }) => (
          <li key={`${list} ${index} ${field} ${problem}`}>
            <StateMark state="invalid" plain>
              {list === 'text' ? `Line ${index}` : 'Problem'}
            </StateMark>
            <span className="mono">{route}</span>
            <span className={styles.grow}>{problem}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const objectWords = { create: 'created', modify: 'changed', delete: 'deleted', keep: 'kept', wait: 'waits for consent' } as const;
const roaChange = { add: 'ROA added', replace: 'ROA replaced', remove: 'ROA removed', keep: 'ROA kept' } as const;

/** Counts route objects: by their effect for the listed routes, or in total if not every route is listed. */
function objectsIn(written: number, planned: RouteCheck['planned']): string[] {
  const done = Map.groupBy(
    planned.flatMap(({ objects }) => objects),
    object => object.done,
  );
  const counts = (['create', 'modify', 'delete'] as const).map(each => [objectWords[each], done.get(each)?.length ?? 0] as const);
  const named = counts.filter(([, count]) => count > 0).map(([word, count]) => `${plural(count, 'route object')} ${word}`);
  if (counts.reduce((sum, [, count]) => sum + count, 0) === written) return named;
  return [`${plural(written, 'route object')} written or deleted`];
}

/** Label of the button: it says "delete" if the change only deletes. */
const nameOfSaving = ({ routes, removed }: RouteCheck['counts']): string =>
  `${removed === routes ? 'Delete' : 'Save'} ${plural(routes, 'route')}`;

function Written({ check: { counts, planned } }: { check: RouteCheck }) {
  if (counts.routes === 0)
    return (
      <p className="small">
        {counts.unchanged > 0 ? `All ${plural(counts.unchanged, 'route')} are as listed already.` : 'Nothing would change.'}
      </p>
    );
  const parts = [
    counts.added && `${plural(counts.added, 'route')} added`,
    counts.changed && `${plural(counts.changed, 'route')} changed`,
    counts.removed && `${plural(counts.removed, 'route')} deleted`,
    counts.unchanged && `${formatCount(counts.unchanged)} unchanged`,
    counts.roasAdded && `${plural(counts.roasAdded, 'ROA')} added`,
    counts.roasRemoved && `${plural(counts.roasRemoved, 'ROA')} removed`,
    ...objectsIn(counts.objectsWritten, planned),
    counts.objectsWaiting && `${plural(counts.objectsWaiting, 'route object')} waiting for consent`,
  ].filter(Boolean);
  const warned = planned.filter(({ warnings }) => warnings.length > 0);
  const waiting = [...new Set(planned.flatMap(({ waitsFor }) => waitsFor))];
  return (
    <div>
      <p className="small">{parts.join(', ')}.</p>
      {waiting.length > 0 && (
        <Banner kind="pending" title="Consent needed.">
          Route objects from another member’s AS number wait up to 7 days until {waiting.join(' or ')} agrees. ROAs are published
          immediately.
        </Banner>
      )}
      {warned.slice(0, 5).map(({ prefix, asn, warnings }) => (
        <Banner key={`${prefix} ${asn}`} kind="warning" title={`${prefix} ${printAsNumber(asn)}.`}>
          {warnings.join(' ')}
        </Banner>
      ))}
      {warned.length > 5 && <p className="small">{plural(warned.length - 5, 'more route')} with such a warning.</p>}
      <Disclosure summary="Changes" open={planned.length <= 3}>
        <ul className={styles.list} aria-label="Changes">
          {planned.slice(0, 100).map(({ prefix, asn, maxLength, roa, objects }) => (
            <li key={`${prefix} ${asn}`}>
              <ResourceName kind={kindOf(prefix)} text={prefix} /> <span className="mono">{printAsNumber(asn)}</span>
              {roa && (
                <span>
                  {roaChange[roa]}
                  {roa !== 'remove' && <span className="quiet"> to /{maxLength}</span>}
                </span>
              )}
              {objects.map(({ shown, done }) => (
                <span key={shown}>
                  <span className="mono">{spacedKey(shown)}</span> {objectWords[done]}
                </span>
              ))}
              {!roa && objects.length === 0 && <span className="quiet">only in this list</span>}
            </li>
          ))}
        </ul>
        {counts.routes > 100 && <p className="small quiet">and {formatCount(counts.routes - 100)} more</p>}
      </Disclosure>
    </div>
  );
}

function Effect({ check: { effect, counts } }: { check: RouteCheck }) {
  if (effect.collectedAt === null)
    return <p className="small quiet">No BGP table is available, so the effect on announcements can’t be shown.</p>;
  const touchesRoas = counts.roasAdded + counts.roasRemoved > 0;
  return (
    <Stack gap={8}>
      <h3>Effect on announcements</h3>
      <Coverage tally={effect.before} after={touchesRoas ? effect.after : undefined} />
      {effect.becomeInvalid > 0 && (
        <Banner kind="error" title={`${plural(effect.becomeInvalid, 'announcement')} would become invalid.`}>
          Networks that filter by RPKI drop them. Add a route for each one you intend before you save.
        </Banner>
      )}
      {effect.loseRoa > 0 && (
        <Banner kind="warning" title={`${plural(effect.loseRoa, 'announcement')} would be left without a ROA.`}>
          Many networks see {effect.loseRoa === 1 ? 'it' : 'them'}. Without a ROA, anyone can announce the same prefix and be believed.
        </Banner>
      )}
      {effect.total === 0 ? (
        <p className="small quiet">
          {touchesRoas ? 'No announcement is seen inside these prefixes.' : 'No ROA changes, so nothing changes for announcements.'}
        </p>
      ) : (
        <ul className={styles.list} aria-label="Effect on announcements">
          {effect.announcements.slice(0, 100).map(({ prefix, asn, peers, before, after }) => (
            <li key={`${prefix} ${asn}`}>
              <span className={styles.grow}>
                <ResourceName kind={kindOf(prefix)} text={prefix} />{' '}
                <span className="small quiet">
                  {printAsNumber(asn)}, {plural(peers, 'peer')}
                </span>
              </span>
              <span className="nw">
                <StateMark state={validityWords[before].state} plain>
                  {validityWords[before].word}
                </StateMark>{' '}
                →{' '}
                <StateMark state={validityWords[after].state} plain>
                  {validityWords[after].word}
                </StateMark>
              </span>
            </li>
          ))}
        </ul>
      )}
      {effect.total > 100 && <p className="small quiet">and {formatCount(effect.total - 100)} more</p>}
      <p className="small quiet">
        As seen by route collectors on <DateText value={effect.collectedAt} />.
      </p>
    </Stack>
  );
}
