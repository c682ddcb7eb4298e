/** Style sheets are bundled; a script that imports one gets nothing of it. */
declare module '*.css';
