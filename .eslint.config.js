// Lint rules; a dot file, since the top level is fixed. `make check` passes it by name.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { explainedSleeps } from './services/common/test/repository/lint/explained-sleeps.ts';

export default tseslint.config(
  { ignores: ['**/gen/**', '**/node_modules/**', '.penstock*/**', 'gateway/dist/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './gateway/src/console/web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    // Text must not become code: in a replacement's text, `$&` and its kin of somebody's text would be filled in.
    files: ['**/*.ts', '**/*.tsx', '**/*.js'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':not(AwaitExpression) > CallExpression[callee.property.name=/^replace(All)?$/][arguments.length=2]' +
            '[arguments.1.type!=/^(Literal|ArrowFunctionExpression)$/]',
          message:
            'Replace by a constant or by a function that gives the text; better, build the text from its parts.',
        },
      ],
    },
  },
  {
    // Expressions that take more than linear time on some text: eighty characters of it can stop a process for good.
    files: ['**/*.ts', '**/*.tsx', '**/*.js'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }] },
  },
  {
    // Quadratic where no character of the text begins a match. Tests match this repository's own files.
    files: ['**/*.ts', '**/*.tsx', '**/*.js'],
    ignores: ['**/test/**', '**/bench/**'],
    rules: { 'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }] },
  },
  {
    // Half of the suite's time was spent in sleeps that were longer than they had to be, or failed by being too short.
    files: ['**/test/**/*.ts'],
    plugins: { penstock: { rules: { 'explained-sleeps': explainedSleeps } } },
    rules: { 'penstock/explained-sleeps': 'error' },
  },
  {
    // chai's assertions are expressions; a test may end in one.
    files: ['**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
