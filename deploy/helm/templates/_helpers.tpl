{{/* A component's full name. Called with a dict of root and name. */}}
{{- define "penstock.fullname" -}}
{{- printf "%s-%s" .root.Release.Name .name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels that never change, by which a component's pods are selected. */}}
{{- define "penstock.selector" -}}
app.kubernetes.io/name: penstock
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "penstock.labels" -}}
{{ include "penstock.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* A gRPC target: the headless Service's name, which DNS answers with every ready pod. */}}
{{- define "penstock.target" -}}
dns:///{{ include "penstock.fullname" . }}.{{ .root.Release.Namespace }}:9000
{{- end -}}
