import { later } from '@portal/app-kit/page/later';
import { SkeletonLines } from '@portal/ui';
import { type ComponentProps, Suspense } from 'react';

const OutcomeList = later(() => import('./OutcomeList.tsx'), 'OutcomeList');

/** The outcomes of objects, one line each. A form has none before its dry run, so the code of the list is loaded with the first. */
export function Outcomes(props: ComponentProps<typeof OutcomeList>) {
  return (
    <Suspense fallback={<SkeletonLines lines={2} label="Loading the results" />}>
      <OutcomeList {...props} />
    </Suspense>
  );
}
