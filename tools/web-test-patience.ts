import { configure } from '@testing-library/react';

// Pages load their parts when they are first shown; a machine that does other things as well takes longer than the library's second.
configure({ asyncUtilTimeout: 5_000 });
