import { useRefusal } from '@portal/app-kit';
import { type Route, routes } from '@portal/contract/routes/routes';
import { recordAddress } from '@portal/contract/records/record-address';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { printAsNumber } from '@portal/number-resources';
import { Button, DateText, Disclosure, formatCount, KeyValueList, Link, ResourceName, Row, Sheet, Stack, StateMark } from '@portal/ui';

import { hrefOfObject, kindOf, nameOf, roaWordsOf, validityWords, whoisWords } from './route-words.ts';
import styles from './Routes.module.css';

const holders = { mine: 'yours', other: 'another member’s', unknown: 'not of this registry', none: 'no AS' } as const;

/** The state of a route: its ROA, its route objects, and what collectors see. */
export function RouteDetails({
  route,
  onReview,
  onDelete,
}: {
  route: Route;
  onReview: (objects: 'ours' | 'theirs') => void;
  onDelete: () => void;
}) {
  const refusal = useRefusal(routes.saveRoutes);
  const { whoisState, objects } = route;
  const isRepairable = whoisState === 'drifted' || whoisState === 'missing';
  return (
    <Sheet
      title={<span className="mono">{nameOf(route)}</span>}
      actions={
        <Button size="s" icon="trash" refusal={refusal} onClick={onDelete}>
          Delete
        </Button>
      }
    >
      <Stack gap={12}>
        <RouteFacts route={route} />
        {isRepairable && (
          <Row gap={8} wrap>
            <Button size="s" refusal={refusal} onClick={() => onReview('ours')}>
              {whoisState === 'missing' ? 'Create it again' : 'Write ours again'}
            </Button>
            {whoisState === 'drifted' && (
              <Button size="s" refusal={refusal} onClick={() => onReview('theirs')}>
                Keep what was changed
              </Button>
            )}
          </Row>
        )}
        {objects.map(object => (
          <ObjectText key={object.shown} object={object} />
        ))}
      </Stack>
    </Sheet>
  );
}

function ObjectText({ object: { shown, class: objectClass, state, text, maintainers } }: { object: Route['objects'][number] }) {
  return (
    <Disclosure
      summary={
        <>
          <span className="mono">{spacedKey(shown)}</span>{' '}
          <StateMark state={whoisWords[state].state} plain>
            {whoisWords[state].word}
          </StateMark>
        </>
      }
    >
      {text === null ? (
        <p className="small">{whoisWords[state].means}</p>
      ) : (
        <>
          <pre className={styles.object}>{text}</pre>
          <p className="small">
            Maintained by <span className="mono">{maintainers.join(', ')}</span>.{' '}
            <Link href={hrefOfObject(objectClass, shown)}>Open in whois</Link>
          </p>
        </>
      )}
    </Disclosure>
  );
}

function RouteFacts({ route: { prefix, asn, roaState, roaMaxLength, whoisState, seenBy, validity, holder, changedAt } }: { route: Route }) {
  const roa = roaWordsOf({ roaState, validity });
  return (
    <KeyValueList
      align="left"
      items={[
        { key: 'Prefix', value: <ResourceName kind={kindOf(prefix)} text={prefix} href={recordAddress(prefix)} /> },
        {
          key: 'Origin',
          value: (
            <>
              {asn === 0 ? <span className="mono">AS0</span> : <Link href={recordAddress(printAsNumber(asn))}>{printAsNumber(asn)}</Link>}{' '}
              <span className="quiet">{holders[holder]}</span>
            </>
          ),
        },
        {
          key: 'ROA',
          value: (
            <>
              <StateMark state={roa.state}>{roa.word}</StateMark>{' '}
              <span className="small quiet">
                {roa.means}
                {roaState === 'differs' && ` It allows /${roaMaxLength}.`}
              </span>
            </>
          ),
        },
        {
          key: 'Route object',
          value: (
            <>
              <StateMark state={whoisWords[whoisState].state}>{whoisWords[whoisState].word}</StateMark>{' '}
              <span className="small quiet">{whoisWords[whoisState].means}</span>
            </>
          ),
        },
        {
          key: 'Seen in BGP',
          value:
            validity === null ? (
              <span className="quiet">not seen by route collectors</span>
            ) : (
              <>
                <StateMark state={validityWords[validity].state}>{validityWords[validity].word}</StateMark>{' '}
                <span className="small quiet">
                  {formatCount(seenBy ?? 0)} {seenBy === 1 ? 'peer' : 'peers'}. {validityWords[validity].means}
                </span>
              </>
            ),
        },
        ...(changedAt ? [{ key: 'Last changed', value: <DateText value={changedAt} /> }] : []),
      ]}
    />
  );
}
