import { RouteTable } from './RouteTable.tsx';

/** The views of the page of routes. */
export function RouteTabs() {
  return <RouteTable />;
}
