import { SkeletonRows } from '@portal/ui';

/** The skeleton of a table: tools, head and rows. */
export function TableSkeleton({ rows = 10 }: { rows?: number }) {
  return (
    <>
      <SkeletonRows rows={1} columns={3} height={43} />
      <SkeletonRows rows={1} columns={6} height={33} />
      <SkeletonRows rows={rows} columns={6} />
    </>
  );
}
