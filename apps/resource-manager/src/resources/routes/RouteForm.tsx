import { useAddress, useAnswer, useAccount } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormState, noCall, useForm } from '@portal/app-kit/form/use-form';
import { type Route, type RouteChanges, type RouteCheck, routes } from '@portal/contract/routes/routes';
import { Banner, Button, ButtonRow, Field, Link, Panel, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { ChangeReview, noChanges } from './ChangeReview.tsx';
import { useRoutesFollowPublication } from './publishing.ts';
import { RouteDetails } from './RouteDetails.tsx';
import { KeyFields, ObjectFields, PublishAs, type RouteValues } from './RouteFields.tsx';
import { hrefOfSaved, routesPath } from './route-words.ts';

const addingOf = (facts: RouteValues): RouteChanges => ({
  ...noChanges,
  add: [{ ...facts, maxLength: facts.maxLength === '' ? null : Number(facts.maxLength) }],
});

/** A reviewed change, and the values that it was made of; without values it is about something else of the route. */
type Reviewed = { changes: RouteChanges; of: string | null };
type Problems = RouteCheck['problems'];

/**
 * The form of a route. It sends nothing itself: what it holds is reviewed beside it, and an edit ends the review.
 * @param changesOf the change that values make
 * @param isWhole it begins with a whole route, whose effect is shown immediately
 */
function useRouteForm(initial: RouteValues, changesOf: (facts: RouteValues) => RouteChanges, isWhole = false) {
  const [kept, setKept] = useState<Reviewed | null>(isWhole ? { changes: changesOf(initial), of: JSON.stringify(initial) } : null);
  const [problems, setProblems] = useState<Problems>([]);
  const isCurrent = (values: RouteValues): boolean => kept !== null && (kept.of === null || kept.of === JSON.stringify(values));
  const form = useForm(routes.checkRoutes.body, initial, {
    name: 'route',
    toBody: changesOf,
    fieldAt: place => place.replace(/^(?:add|change)\.0\./, ''),
    check: ({ maxLength }) => (/^\d{0,3}$/.test(maxLength.trim()) ? {} : { maxLength: 'Enter a length, such as 24' }),
    found: values =>
      (isCurrent(values) ? problems : []).flatMap(({ field, problem }) => (field === null ? [] : [{ field, message: problem }])),
    change: noCall,
    send(changes, values) {
      setProblems([]);
      setKept({ changes, of: JSON.stringify(values) });
    },
  });
  return {
    form,
    reviewed: isCurrent(form.values) ? kept!.changes : null,
    setProblems,
    setReviewed: (changes: RouteChanges | null): void => {
      setProblems([]);
      setKept(changes && { changes, of: null });
    },
  };
}

/** A new route; the address may fill in prefix, AS number and maximum length. Where it names a whole route, its effect is shown immediately. */
export function NewRouteForm() {
  const address = useAddress();
  const { accountName: account } = useAccount();
  const { rpki, maintainers } = useAnswer(routes.listRoutes, { account, query: { limit: 1 } });
  const initial: RouteValues = {
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
  };
  const { form, reviewed, setProblems, setReviewed } = useRouteForm(initial, addingOf, initial.prefix !== '' && initial.asn !== '');
  return (
    <Editor
      form={form}
      isNew
      rpki={rpki}
      maintainers={maintainers}
      reviewed={reviewed}
      onClose={() => address.go(routesPath)}
      onStop={() => setReviewed(null)}
      onProblems={setProblems}
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
  const initial: RouteValues = {
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
  };
  const { form, reviewed, setProblems, setReviewed } = useRouteForm(
    initial,
    ({ prefix: _prefix, asn: _asn, maxLength: typed, ...rest }) => ({
      ...noChanges,
      change: [{ routeId: routeId!, ...rest, maxLength: Number(typed) }],
    }),
  );
  return (
    <Stack gap={16}>
      <RouteDetails
        route={route}
        onReview={objects => setReviewed({ ...noChanges, change: [{ routeId: routeId!, objects }] })}
        onDelete={() => setReviewed({ ...noChanges, remove: [{ routeId: routeId!, keepRoa: false, keepObjects: false }] })}
      />
      <Editor
        form={form}
        rpki={rpki}
        maintainers={maintainers}
        reviewed={reviewed}
        onProblems={setProblems}
        onClose={onClose}
        onStop={() => setReviewed(null)}
      />
    </Stack>
  );
}

function Editor({
  form,
  isNew = false,
  rpki,
  maintainers,
  reviewed,
  onProblems,
  onClose,
  onStop,
}: {
  form: FormState<RouteValues>;
  isNew?: boolean;
  rpki: 'on' | 'off';
  maintainers: readonly string[];
  reviewed: RouteChanges | null;
  onProblems: (problems: Problems) => void;
  onClose: () => void;
  onStop: () => void;
}) {
  const address = useAddress();
  const { field, input, values: facts } = form;
  const length = /\/(\d+)$/.exec(facts.prefix.trim())?.[1] ?? '';
  return (
    <SidePanelLayout>
      <Sheet title={isNew ? undefined : 'Change this route'} aria-label={isNew ? 'New route' : undefined}>
        <Form form={form} label={isNew ? 'New route' : 'Change this route'}>
          {isNew && <KeyFields form={form} />}
          <Field
            label="Maximum length"
            optional={isNew}
            help={`The most specific announcement the ROA allows. Keep ${length === '' ? 'the length of the prefix' : length} unless you announce more specific prefixes (RFC 9319)`}
            {...field('maxLength')}
          >
            <TextInput mono inputMode="numeric" placeholder={length} {...input('maxLength')} maxLength={3} />
          </Field>
          <PublishAs form={form} rpki={rpki} />
          {facts.whois && <ObjectFields form={form} maintainers={maintainers} />}
          <Field label="Comment" optional help="Only you and the registry see it" {...field('comment')}>
            <TextInput {...input('comment')} maxLength={200} />
          </Field>
          <Field label="Owner" optional help="The person or team that answers for this route" {...field('owner')}>
            <TextInput {...input('owner')} maxLength={80} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="primary">
              Review
            </Button>
            <Button onClick={onClose}>{isNew ? 'Cancel' : 'Back to routes'}</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      {reviewed ? (
        <ChangeReview
          key={JSON.stringify(reviewed)}
          changes={reviewed}
          onProblems={onProblems}
          onSaved={({ changeId }) => address.go(hrefOfSaved(changeId))}
          onCancel={onStop}
        />
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
