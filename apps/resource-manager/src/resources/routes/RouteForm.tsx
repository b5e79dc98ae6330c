import { useAddress, useAnswer, useAccount } from '@portal/app-kit';
import { type NewRoute, type Route, type RouteChanges, type RouteCheck, routes } from '@portal/contract/routes/routes';
import { childPrefixes, countChildren, parseAsNumber, parsePrefix, printPrefix } from '@portal/number-resources';
import {
  Banner,
  Button,
  ButtonRow,
  Checkbox,
  Disclosure,
  Field,
  FieldGroup,
  FormColumn,
  Link,
  Panel,
  Select,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { ChangeReview, noChanges } from './ChangeReview.tsx';
import { useRoutesFollowPublication } from './publishing.ts';
import { RouteDetails } from './RouteDetails.tsx';
import { routesPath } from './route-words.ts';
import styles from './Routes.module.css';

type Facts = Omit<NewRoute, 'maxLength'> & { maxLength: string };

const addingOf = (facts: Facts): RouteChanges => ({
  ...noChanges,
  add: [{ ...facts, maxLength: facts.maxLength === '' ? null : Number(facts.maxLength) }],
});

/** A new route; the address may fill in prefix, AS number and maximum length. Where it names a whole route, its effect is shown immediately. */
export function NewRouteForm() {
  const address = useAddress();
  const { accountName: account } = useAccount();
  const { rpki, maintainers } = useAnswer(routes.listRoutes, { account, query: { limit: 1 } });
  const [facts, setFacts] = useState<Facts>({
    prefix: address.get('prefix') ?? '',
    asn: address.get('asn') ?? '',
    maxLength: address.get('maxLength') ?? '',
    roa: rpki === 'on',
    whois: false,
    subRoutes: [],
    descr: '',
    maintainer: '',
    attributes: '',
    comment: '',
    owner: '',
  });
  const [reviewed, setReviewed] = useState<RouteChanges | null>(() => (facts.prefix !== '' && facts.asn !== '' ? addingOf(facts) : null));
  return (
    <Editor
      facts={facts}
      isNew
      rpki={rpki}
      maintainers={maintainers}
      onChange={change => {
        setFacts({ ...facts, ...change });
        setReviewed(null);
      }}
      reviewed={reviewed}
      onReview={() => setReviewed(addingOf(facts))}
      onClose={() => address.go(routesPath)}
      onStop={() => setReviewed(null)}
    />
  );
}

/** One route by its permalink: its state, and all its editable fields. */
export function EditRoute({ routeId }: { routeId: string }) {
  const address = useAddress();
  const { accountName: account } = useAccount();
  // The list is cheap for the server, and already cached when a row was clicked.
  const input = { account, query: { limit: 1, id: routeId } };
  const { rows, rpki, maintainers } = useAnswer(routes.listRoutes, input);
  useRoutesFollowPublication(input, rows);
  const route = rows.find(each => each.routeId === routeId);
  if (!route)
    return (
      <Banner kind="warning" title="This route doesn’t exist any more.">
        It may have been deleted. <Link href={routesPath}>See all routes</Link>
      </Banner>
    );
  return <EditFound key={route.changedAt} route={route} rpki={rpki} maintainers={maintainers} onClose={() => address.go(routesPath)} />;
}

function EditFound({
  route,
  rpki,
  maintainers,
  onClose,
}: {
  route: Route;
  rpki: 'on' | 'off';
  maintainers: readonly string[];
  onClose: () => void;
}) {
  const { routeId, prefix, asn, maxLength, roa, whois, subRoutes, descr, maintainer, attributes, comment, owner } = route;
  const [facts, setFacts] = useState<Facts>({
    prefix,
    asn: `AS${asn}`,
    maxLength: String(maxLength),
    roa,
    whois,
    subRoutes,
    descr,
    maintainer,
    attributes,
    comment,
    owner,
  });
  const [reviewed, setReviewed] = useState<RouteChanges | null>(null);
  const { prefix: _prefix, asn: _asn, maxLength: typed, ...rest } = facts;
  return (
    <Stack gap={16}>
      <RouteDetails
        route={route}
        onReview={objects => setReviewed({ ...noChanges, change: [{ routeId: routeId!, objects }] })}
        onDelete={() => setReviewed({ ...noChanges, remove: [{ routeId: routeId!, keepRoa: false, keepObjects: false }] })}
      />
      <Editor
        facts={facts}
        rpki={rpki}
        maintainers={maintainers}
        onChange={change => {
          setFacts({ ...facts, ...change });
          setReviewed(null);
        }}
        reviewed={reviewed}
        onReview={() => setReviewed({ ...noChanges, change: [{ routeId: routeId!, ...rest, maxLength: Number(typed) }] })}
        onClose={onClose}
        onStop={() => setReviewed(null)}
      />
    </Stack>
  );
}

/** Sub-prefixes shown as boxes; more are typed. */
const maxBoxes = 64;

/** More specific prefixes down to the maximum length; empty where there are none, or too many to tick. */
function subPrefixes(prefix: string, maxLength: string): string[] {
  try {
    const outer = parsePrefix(prefix.trim());
    const found: string[] = [];
    for (let length = outer.length + 1; length <= Number(maxLength); length++) {
      if (found.length + Number(countChildren(outer, length)) > maxBoxes) return found;
      for (const child of childPrefixes(outer, length)) found.push(printPrefix(child));
    }
    return found;
  } catch {
    return [];
  }
}

const isAs0 = (text: string): boolean => {
  try {
    return parseAsNumber(text.trim()) === 0;
  } catch {
    return false;
  }
};

function Editor({
  facts,
  isNew = false,
  rpki,
  maintainers,
  onChange,
  reviewed,
  onReview,
  onClose,
  onStop,
}: {
  facts: Facts;
  isNew?: boolean;
  rpki: 'on' | 'off';
  maintainers: readonly string[];
  onChange: (change: Partial<Facts>) => void;
  reviewed: RouteChanges | null;
  onReview: () => void;
  onClose: () => void;
  onStop: () => void;
}) {
  const text = (name: 'prefix' | 'asn' | 'maxLength' | 'descr' | 'attributes' | 'comment' | 'owner') => ({
    value: facts[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const [problems, setProblems] = useState<RouteCheck['problems']>([]);
  /** The problem that the review found with a field; an edit ends the review. */
  const errorOf = (name: 'prefix' | 'asn' | 'maxLength') => {
    const found = reviewed && problems.find(({ field }) => field === name);
    return found ? { error: found.problem } : {};
  };
  const boxes = facts.whois ? subPrefixes(facts.prefix, facts.maxLength) : [];
  const length = /\/(\d+)$/.exec(facts.prefix.trim())?.[1] ?? '';
  const missing = facts.prefix.trim() === '' || facts.asn.trim() === '' ? { reason: 'Enter a prefix and an AS number' } : null;
  return (
    <SidePanelLayout>
      <Sheet title={isNew ? undefined : 'Change this route'} aria-label={isNew ? 'New route' : undefined}>
        <FormColumn>
          {isNew && (
            <>
              <Field label="Prefix" help="Inside one of your delegations, such as 192.0.2.0/24" {...errorOf('prefix')}>
                <TextInput mono autoComplete="off" spellCheck={false} maxLength={60} {...text('prefix')} />
              </Field>
              <Field
                label="Origin AS"
                help="The AS number that announces it, such as AS64500. AS0 in a ROA says that no AS may announce it"
                {...errorOf('asn')}
              >
                <TextInput mono autoComplete="off" spellCheck={false} maxLength={20} {...text('asn')} />
              </Field>
            </>
          )}
          <Field
            label="Maximum length"
            optional={isNew}
            help={`The most specific announcement the ROA allows. Keep ${length === '' ? 'the length of the prefix' : length} unless you announce more specific prefixes (RFC 9319)`}
            {...errorOf('maxLength')}
          >
            <TextInput mono inputMode="numeric" autoComplete="off" placeholder={length} maxLength={3} {...text('maxLength')} />
          </Field>
          <FieldGroup legend="Publish as">
            <Checkbox
              checked={facts.roa}
              disabled={rpki === 'off' && !facts.roa}
              help={rpki === 'off' ? 'RPKI isn’t enabled for this account.' : 'Networks that validate accept the announcement.'}
              onChange={({ target }) => onChange({ roa: target.checked })}
            >
              ROA
            </Checkbox>
            {rpki === 'off' && (
              <p className="small">
                <Link href="/resources/rpki/index">Enable RPKI</Link>
              </p>
            )}
            <Checkbox
              checked={facts.whois}
              disabled={isAs0(facts.asn)}
              help={
                isAs0(facts.asn) ? 'AS0 announces nothing, so it has no route object.' : 'Networks that build filters from whois accept it.'
              }
              onChange={({ target }) => onChange({ whois: target.checked })}
            >
              Whois route object
            </Checkbox>
          </FieldGroup>
          {facts.whois && (
            <>
              {boxes.length > 0 && (
                <FieldGroup
                  legend="Sub-routes"
                  help="A route object has no maximum length. Choose the more specific prefixes that get their own."
                >
                  <div className={styles.subRoutes}>
                    {boxes.map(sub => (
                      <Checkbox
                        key={sub}
                        checked={facts.subRoutes.includes(sub)}
                        onChange={({ target }) =>
                          onChange({ subRoutes: target.checked ? [...facts.subRoutes, sub] : facts.subRoutes.filter(each => each !== sub) })
                        }
                      >
                        <span className="mono">{sub}</span>
                      </Checkbox>
                    ))}
                  </div>
                  <ButtonRow>
                    <Button size="s" onClick={() => onChange({ subRoutes: boxes.filter(sub => sub.endsWith(`/${facts.maxLength}`)) })}>
                      All /{facts.maxLength}
                    </Button>
                    <Button size="s" onClick={() => onChange({ subRoutes: [] })}>
                      None
                    </Button>
                  </ButtonRow>
                </FieldGroup>
              )}
              <Field label="Description" optional help="Attribute descr. The name of your organisation if empty">
                <TextInput maxLength={200} {...text('descr')} />
              </Field>
              {maintainers.length > 1 && (
                <Field label="Maintainer">
                  <Select
                    value={facts.maintainer}
                    options={[
                      { value: '', label: `${maintainers[0]} (principal)` },
                      ...maintainers.slice(1).map(each => ({ value: each, label: each })),
                    ]}
                    onChange={({ target }) => onChange({ maintainer: target.value })}
                  />
                </Field>
              )}
              <Disclosure summary="Other attributes" open={facts.attributes !== ''}>
                <Field label="Other attributes" optional help="One on each line, such as remarks: customer 12 or notify: noc@example.net">
                  <TextArea mono rows={4} spellCheck={false} {...text('attributes')} />
                </Field>
              </Disclosure>
            </>
          )}
          <Field label="Comment" optional help="Only you and the registry see it">
            <TextInput maxLength={200} {...text('comment')} />
          </Field>
          <Field label="Owner" optional help="The person or team that answers for this route">
            <TextInput maxLength={80} {...text('owner')} />
          </Field>
          <ButtonRow>
            <Button variant="primary" refusal={missing} refusalIn="note" onClick={onReview}>
              Review
            </Button>
            <Button onClick={onClose}>{isNew ? 'Cancel' : 'Back to routes'}</Button>
          </ButtonRow>
        </FormColumn>
      </Sheet>
      {reviewed ? (
        <ChangeReview key={JSON.stringify(reviewed)} changes={reviewed} onProblems={setProblems} onSaved={onClose} onCancel={onStop} />
      ) : (
        <Panel title="Review">
          <p className="small muted">
            Press Review to see what will be written, and what each announcement becomes. Nothing is written before you confirm it.
          </p>
        </Panel>
      )}
    </SidePanelLayout>
  );
}
