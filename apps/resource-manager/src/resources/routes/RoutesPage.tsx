import { Term } from '@portal/app-kit/words/Term';
import { Page, read, useAccount, useAddress, useRefusal } from '@portal/app-kit';
import { routes } from '@portal/contract/routes/routes';
import { Button, LinkButton, Row, Sheet, SkeletonRows } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { RouteImport } from './RouteImport.tsx';
import { EditRoute, NewRouteForm } from './RouteForm.tsx';
import { routeTableReads } from './RouteTable.tsx';
import { RouteTabs } from './RouteTabs.tsx';
import { requestsPath, routesPath } from './route-words.ts';

const Waiting = () => (
  <Sheet flush aria-label="Routes">
    <SkeletonRows rows={8} label="Loading routes" />
  </Sheet>
);

export const reads = routeTableReads;

/** Intended announcements: the list, a new one (`?add=yes`), one of them by its permalink (`?route=ID`), an import (`?import=yes`). */
export default function RoutesPage() {
  const account = useAccount().accountName;
  const address = useAddress();
  const refusal = useRefusal(routes.saveRoutes);
  const routeId = address.get('route');
  const adds = address.get('add') !== null;
  const imports = address.get('import') !== null;
  if (adds || imports || routeId !== null)
    return (
      <Page
        title={adds ? 'New route' : imports ? 'Import routes' : 'Route'}
        breadcrumb={<ResourcesBreadcrumb page="Routes" />}
        sub={adds ? 'An announcement you intend, with its ROA and route object.' : undefined}
      >
        <AccountNote />
        {imports ? (
          <RouteImport />
        ) : (
          <FirstRead
            key={`${routeId} ${address.get('prefix')}`}
            reads={[read(routes.listRoutes, { account, query: adds ? { limit: 1 } : { limit: 1, id: routeId ?? '' } })]}
            fallback={<Waiting />}
          >
            {adds ? <NewRouteForm /> : <EditRoute routeId={routeId ?? ''} />}
          </FirstRead>
        )}
      </Page>
    );
  return (
    <Page
      title="Routes"
      sub={
        <>
          Announcements you intend. Each can have a <Term name="roa">ROA</Term>, a whois <Term name="routeObject">route object</Term>, or
          both.
        </>
      }
      actions={
        <Row gap={8} wrap>
          <Button variant="primary" icon="plus" refusal={refusal} refusalIn="note" onClick={() => address.go(`${routesPath}?add=yes`)}>
            Add route
          </Button>
          <Button icon="upload" refusal={refusal} refusalIn="note" onClick={() => address.go(`${routesPath}?import=yes`)}>
            Import
          </Button>
          <LinkButton icon="clock" href={requestsPath}>
            Changes and consents
          </LinkButton>
        </Row>
      }
    >
      <AccountNote />
      <RouteTabs />
    </Page>
  );
}
