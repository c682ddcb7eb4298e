// Lint rules; a dot file, since the top level is fixed. `make check` passes it by name.
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/gen/**', '**/node_modules/**', '.penstock*/**', 'gateway/dist/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
    // chai's assertions are expressions; a test may end in one.
    files: ['**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
);
